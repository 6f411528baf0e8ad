/** Reads a ledger's commits and finds those that are not a legal step forward. */

import { compareText } from '../../core/ledger/canonical.ts'
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

/** The number of files that are read at a time: limits memory, not the length of the history. */
const FILES_AT_ONCE = 250

/** Checks every commit that `to` has and `from` has not; all of them if `from` is null. */
export function verifyHistory(repo: Repo, from: string | null, to: string): HistoryReport {
  const commits = listCommits(repo, from, to)
  const found: (Problem & { at: number })[] = []
  const births: (Births | undefined)[] = []
  for (const units of inPieces(unitsOf(repo, commits))) {
    const lines = readSteps(
      repo,
      units.flatMap(({ steps }) => steps),
      units.flatMap(({ changes }) => changes),
    )
    for (const { at, commit, steps } of units) {
      const mine = lines.splice(0, steps.length)
      for (const why of judge(commit, mine)) found.push({ at, commit: commit.oid, why })
      births[at] = addBirths(births[at], mine)
    }
  }
  const born = new Set<string>()
  for (const [at, filed] of births.entries()) {
    if (filed === undefined) continue
    const commit = commits[at] as Commit
    for (const why of filedTwice(repo, commit, filed, born)) found.push({ at, commit: commit.oid, why })
  }
  const problems = found.sort((a, b) => a.at - b.at).map(({ commit, why }) => ({ commit, why }))
  return { commits: commits.length, problems }
}

/** A commit, or a part of one that only adds files: each can be judged by itself. */
interface Unit {
  /** The place of the commit in the history. */
  at: number
  commit: Commit
  steps: Step[]
  changes: FileChange[][]
}

/** Ordered by file: so a version that two commits have in common, one after the other, is mostly read once. */
function unitsOf(repo: Repo, commits: readonly Commit[]): Unit[] {
  const allSteps = commits.map(stepsOf)
  const changes = diffSteps(repo, allSteps.flat())
  let next = 0
  const units = commits.flatMap((commit, at) => {
    const steps = allSteps[at] ?? []
    const mine = changes.slice(next, next + steps.length)
    next += steps.length
    return splitUnit({ at, commit, steps, changes: mine })
  })
  return units
    .map((unit) => ({ unit, first: unit.changes[0]?.[0]?.path ?? '' }))
    .sort((a, b) => compareText(a.first, b.first))
    .map(({ unit }) => unit)
}

/** No line can have moved between files that are all new. */
function splitUnit(unit: Unit): Unit[] {
  const [files = [], ...others] = unit.changes
  if (others.length > 0 || files.length <= FILES_AT_ONCE || files.some(({ before }) => before !== null)) return [unit]
  const count = Math.ceil(files.length / FILES_AT_ONCE)
  return Array.from({ length: count }, (_, part) => {
    return { ...unit, changes: [files.slice(part * FILES_AT_ONCE, (part + 1) * FILES_AT_ONCE)] }
  })
}

function* inPieces(units: readonly Unit[]): Generator<Unit[]> {
  let piece: Unit[] = []
  let files = 0
  for (const unit of units) {
    piece.push(unit)
    files += unit.changes.reduce((sum, { length }) => sum + length, 0)
    if (files < FILES_AT_ONCE) continue
    yield piece
    piece = []
    files = 0
  }
  if (piece.length > 0) yield piece
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

/** The tasks that a commit files, by uid, with their ids. */
type Births = ReadonlyMap<string, string>

/** What a part of a commit adds to those of the others. */
function addBirths(known: Births | undefined, steps: readonly StepLines[]): Births | undefined {
  const filed = [...(steps[0]?.after ?? [])].filter(([uid]) =>
    steps.every(({ before, after }) => after.has(uid) && !before.has(uid)),
  )
  return filed.length === 0 ? known : new Map([...(known ?? []), ...filed.map(([uid, { id }]) => [uid, id] as const)])
}

/**
 * Tasks that a commit files although a parent has them: a second line would look like a birth. Two clones may each file
 * the same task, so a task that was born before is searched in the parents themselves.
 */
function filedTwice(repo: Repo, commit: Commit, files: Births, born: Set<string>): string[] {
  const suspects = [...files].filter(([uid]) => born.has(uid))
  for (const uid of files.keys()) born.add(uid)
  if (suspects.length === 0) return []
  const held = new Set(commit.parents.flatMap((parent) => uidsIn(repo, parent.commit)))
  return suspects.filter(([uid]) => held.has(uid)).map(([, id]) => `${id}: filed a second time`)
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
