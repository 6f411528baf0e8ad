/** Reads a ledger's commits and finds those that are not a legal step forward. */

import { besideFile } from '../../core/ledger/file-layout.ts'
import { whyNotForward } from '../../core/ledger/forward-steps.ts'
import { joinTask } from '../../core/ledger/join-tasks.ts'
import type { Mode, Task } from '../../core/task/task.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readLogRecords, trailer } from '../log-records.ts'
import { readChange } from '../read-files.ts'
import { readTrees } from '../read-trees.ts'
import { diffSteps, type FileChange, readSteps, type Step, type StepLines } from './step-lines.ts'

export interface Problem {
  commit: string
  why: string
}

export interface HistoryReport {
  commits: number
  /** In the order of history: the first one is the first bad commit. */
  problems: Problem[]
}

/** The number of commits whose shards are read at a time: limits memory, not the length of the history. */
const CHUNK = 400

/** Checks every commit that `to` has and `from` has not; all of them if `from` is null. */
export function verifyHistory(repo: Repo, from: string | null, to: string): HistoryReport {
  const commits = listCommits(repo, from, to)
  const allSteps = commits.map(stepsOf)
  const changes = diffSteps(repo, allSteps.flat())
  const problems: Problem[] = []
  const born = new Set<string>()
  for (let at = 0; at < commits.length; at += CHUNK) {
    const chunk = commits.slice(at, at + CHUNK)
    const steps = allSteps.slice(at, at + CHUNK)
    const lines = readSteps(repo, steps.flat(), changes.splice(0, steps.flat().length))
    let next = 0
    chunk.forEach((commit, i) => {
      const mine = lines.slice(next, next + (steps[i]?.length ?? 0))
      next += mine.length
      for (const why of [...judge(commit, mine), ...filedTwice(repo, commit, mine, born)])
        problems.push({ commit: commit.oid, why })
    })
  }
  return { commits: commits.length, problems }
}

interface Commit {
  oid: string
  tree: string
  parents: { commit: string; tree: string }[]
  mode: string
  actor: string
}

function listCommits(repo: Repo, from: string | null, to: string): Commit[] {
  const range = ['--topo-order', '--reverse', to, ...(from === null ? [] : [`^${from}`]), '--']
  const parsed = readLogRecords(repo, ['%H', '%T', '%P', trailer('Mode'), trailer('Actor')], range).map(parseCommit)
  const trees = new Map(parsed.map(({ oid, tree }) => [oid, tree]))
  const outside = [...new Set(parsed.flatMap(({ parents }) => parents))].filter((oid) => !trees.has(oid))
  for (const [oid, tree] of readTrees(repo, outside)) trees.set(oid, tree)
  return parsed.map((commit) => ({
    ...commit,
    parents: commit.parents.map((oid) => ({ commit: oid, tree: trees.get(oid) ?? '' })),
  }))
}

function parseCommit([oid = '', tree = '', parents = '', mode = '', actor = '']: string[]) {
  return { oid, tree, mode: mode.trim(), actor: actor.trim(), parents: parents.split(' ').filter(Boolean) }
}

function stepsOf({ oid, tree, parents }: Commit): Step[] {
  const to = { commit: oid, tree }
  return parents.length === 0 ? [{ from: null, to }] : parents.map((from) => ({ from, to }))
}

/** A commit must contain the join of its parents, and no more changes than its mode allows. */
function judge(commit: Commit, steps: readonly StepLines[]): string[] {
  const whys: string[] = []
  const uids = new Set(steps.flatMap(({ before, after }) => [...before.keys(), ...after.keys()]))
  for (const uid of uids) {
    const after = steps.map((step) => step.after.get(uid)).find((task) => task !== undefined)
    if (after === undefined) {
      whys.push(`${steps.map((step) => step.before.get(uid)?.id).find(Boolean)}: vanished`)
      continue
    }
    const why = whyNotForward(joinedBefore(steps, uid, after), after, modeOf(commit), actorOf(commit))
    if (why !== null) whys.push(why)
  }
  for (const why of newUnreadable(steps)) whys.push(`a line that cannot be read (${why})`)
  for (const path of lostArtifacts(steps)) whys.push(`${path}: changed or vanished`)
  return whys
}

/** A line that a parent had already is that parent's fault. */
function newUnreadable(steps: readonly StepLines[]): string[] {
  const [first, ...others] = steps
  const isNew = (text: string) => others.every(({ unreadable }) => unreadable.some((line) => line.text === text))
  return (first?.unreadable ?? []).filter(({ text }) => isNew(text)).map(({ why }) => why)
}

/** Artifacts never change. Only a join of two texts gives the name to one of them, and keeps the other next to it. */
function lostArtifacts(steps: readonly StepLines[]): Set<string> {
  const lost = steps.flatMap(({ artifacts }) =>
    artifacts.filter((change) => change.before !== null && !isKeptBeside(change, artifacts, steps)),
  )
  return new Set(lost.map(({ path }) => path))
}

function isKeptBeside({ path, before }: FileChange, artifacts: FileChange[], steps: readonly StepLines[]): boolean {
  const isOfAParent = steps.some((step) => step.artifacts.every((change) => change.path !== path))
  return (
    isOfAParent && artifacts.some((other) => other.path === besideFile(path, before ?? '') && other.after === before)
  )
}

/**
 * Tasks that a commit files although a parent has them: a second line would look like a birth. Two clones may each file
 * the same task, so a task that was born before is searched in the parents themselves.
 */
function filedTwice(repo: Repo, commit: Commit, steps: readonly StepLines[], born: Set<string>): string[] {
  const files = [...(steps[0]?.after ?? [])].filter(([uid]) =>
    steps.every(({ before, after }) => after.has(uid) && !before.has(uid)),
  )
  const suspects = files.filter(([uid]) => born.has(uid))
  for (const [uid] of files) born.add(uid)
  if (suspects.length === 0) return []
  const held = new Set(commit.parents.flatMap((parent) => uidsIn(repo, parent.commit)))
  return suspects.filter(([uid]) => held.has(uid)).map(([, task]) => `${task.id}: filed a second time`)
}

function uidsIn(repo: Repo, commit: string): string[] {
  return readChange(repo, null, commit).files.flatMap(({ tasks }) => tasks.map(({ uid }) => uid))
}

/** The task before the commit: the join of its parents' copies; null if none had it. */
function joinedBefore(steps: readonly StepLines[], uid: string, after: Task): Task | null {
  return steps.reduce<Task | null>((joined, step) => {
    const mine = step.before.get(uid) ?? (step.after.has(uid) ? null : after)
    if (mine === null) return joined
    return joined === null ? mine : joinTask(joined, mine)
  }, null)
}

/** Known only if the commit is marked as made by an agent. */
function actorOf({ mode, actor }: Commit): string | undefined {
  return mode === 'agent' ? actor : undefined
}

/** A commit that is not marked as a person's must follow the rules for agents. */
function modeOf(commit: Commit): Mode {
  return commit.mode === 'human' ? 'human' : 'agent'
}

/** The commits in the range that are not marked as made by an agent. */
export function commitsNotByAgent(repo: Repo, from: string | null, to: string): string[] {
  return listCommits(repo, from, to).flatMap(({ mode, oid }) => (mode === 'agent' ? [] : [oid]))
}
