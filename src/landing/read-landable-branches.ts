/** Collects the facts that decide about landing: the tip, the files and the approval of each branch of a task. */

import type { Config } from '../core/config/settings.ts'
import { approvalOf } from '../core/landing/approval-of.ts'
import { type ChangedFile, guardedFiles } from '../core/landing/guarded-files.ts'
import { isLanded, isLandedOn, type LandableBranch } from '../core/landing/landable-branch.ts'
import { declaredFiles, outsideScope } from '../core/landing/scope.ts'
import { compareText } from '../core/ledger/canonical.ts'
import { commitOrNull } from '../core/ledger/stored-names.ts'
import { deliveringRun, finishedHead, isSetAside, splitAtSetAside } from '../core/run/finished-work.ts'
import { OUTPUT_FOLDERS } from '../core/task/output-folders.ts'
import { dependenciesOf, type LandAttempt, type Phase, type Run, type Task, uidOf } from '../core/task/task.ts'
import { recordedWeakenings, type Weakening } from '../core/weakened/weakening.ts'
import { readWeakenedNow } from '../engine/check/read-weakened.ts'
import { runsWithChangedRefs } from '../engine/guard/refs/report-refs.ts'
import { changedFilesNow } from '../engine/worktree/workplace.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { runGit, tryGit } from '../platform/git/git.ts'
import { listBranches } from '../platform/git/ref-files.ts'
import { isVouchedPhase, isVouchedRun } from '../runs/review/record-phase.ts'
import { reviewsOf } from '../state/index/dependency-rows.ts'
import { branchedTasks } from '../state/index/find-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { changedSince } from './build/changed-since.ts'
import type { LandBase } from './land-base.ts'

export interface QueuedBranch extends LandableBranch {
  /** Tips whose work is in the base as other commits: its own earlier ones, and those it is built on. */
  landed: string[]
  /** The tip of the branch. It differs from what lands if unfinished work of other tasks follows. */
  branchTip: string | null
}

/** The branches that are not in the base yet, and the named ones in any state. */
export function readLandableBranches(
  view: LedgerView,
  config: Config,
  base: LandBase,
  asked: NamedTasks = NOBODY,
): QueuedBranch[] {
  const branched = branchedTasks(view.ws.state, view.row.lid)
  if (branched.length === 0) return []
  const shelf = openShelf(view, config, base, branched)
  const inBase = shelf.inBase()
  const open = [...shelf.tips.keys()].filter((branch) => shelf.uids.has(branch) && !inBase.has(branch))
  const facts = (branch: string) => ({
    isInBase: inBase.has(branch),
    isNamed: asked.branches.has(branch),
    named: asked.uids,
  })
  const landables = [...new Set([...open, ...asked.branches])].flatMap((branch) =>
    readLandables(shelf, branch, facts(branch)),
  )
  return withGuarded(shelf, landables)
}

/** The tasks that a person names, and their branches. */
export interface NamedTasks {
  uids: ReadonlySet<string>
  branches: ReadonlySet<string>
}

const NOBODY: NamedTasks = { uids: new Set(), branches: new Set() }

/** Facts from git and the index that are read once and used for several branches. */
interface Shelf {
  view: LedgerView
  config: Config
  base: LandBase
  tips: Map<string, string>
  /** The tasks by branch. */
  uids: Map<string, string[]>
  inBase(): Set<string>
  task(uid: string): Task | null
}

function openShelf(
  view: LedgerView,
  config: Config,
  base: LandBase,
  branched: readonly { uid: string; branch: string }[],
): Shelf {
  const { repo, state } = view.ws
  const uids = new Map<string, string[]>()
  for (const { uid, branch } of branched) uids.set(branch, [...(uids.get(branch) ?? []), uid])
  const tips = listBranches(repo)
  tips.delete(base.name)
  const known = new Map<string, Task | null>()
  return {
    view,
    config,
    base,
    tips,
    uids,
    inBase() {
      const merged = ['for-each-ref', '--format=%(refname:lstrip=2)', `--merged=${base.tip}`, 'refs/heads/']
      return new Set(runGit(repo, merged).toString().split('\n').filter(Boolean))
    },
    task(uid) {
      if (!known.has(uid)) known.set(uid, taskOf(state, view.row.lid, uid))
      return known.get(uid) ?? null
    },
  }
}

interface BranchFacts {
  isInBase: boolean
  /** Named by a person, who may know that landed work is no longer in the base. */
  isNamed: boolean
}

/**
 * If a task of the branch was set aside, the finished work before it lands without it. The rest of the branch is listed
 * separately, and lands only as a whole and only if a person names one of its tasks. A person who names a finished task
 * gets its work without that of a task that failed after it.
 */
function readLandables(
  shelf: Shelf,
  branch: string,
  { named, ...facts }: BranchFacts & { named: ReadonlySet<string> },
): QueuedBranch[] {
  const tasks = tasksOn(shelf, branch)
  if (tasks.length === 0) return []
  const tip = shelf.tips.get(branch) ?? null
  const whole = () => [readLandable(shelf, { branch, tasks, tip }, facts)]
  const isLeft = (task: Task) => isSetAside(task) || (facts.isNamed && task.status === 'failed')
  const { kept, left } = splitAtSetAside(tasks, isLeft)
  const last = kept.at(-1)
  if (last === undefined || left.length === 0 || left.some(({ uid }) => named.has(uid))) return whole()
  const head = finishedHead(last, othersThan(last, tasks), tip)
  const isInBase = facts.isInBase || (head !== null && isInHistory(shelf, head))
  const before = readLandable(shelf, { branch, tasks: kept, tip: head }, { ...facts, isInBase })
  return head === tip ? [before] : [before, readLandable(shelf, { branch, tasks: left, tip }, facts)]
}

function othersThan({ uid }: Task, tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => task.uid !== uid)
}

function isInHistory({ view, base }: Shelf, commit: string): boolean {
  return tryGit(view.ws.repo, ['merge-base', '--is-ancestor', commit, base.tip]).code === 0
}

function readLandable(
  shelf: Shelf,
  { branch, tasks: found, tip }: Pick<QueuedBranch, 'branch' | 'tasks' | 'tip'>,
  { isInBase, isNamed }: BranchFacts,
): QueuedBranch {
  const { base, config } = shelf
  const tasks = notLandedAlone(isNamed ? withoutLost(shelf, found) : found, base, tip)
  const about = {
    branch,
    tasks,
    tip,
    base: base.name,
    branchTip: shelf.tips.get(branch) ?? null,
    isInBase: isInBase || (tip === null && isMergedAway(shelf, tasks)),
  }
  const nothing = { ...about, guarded: [], approval: 'not-asked' as const, needs: [], landed: [] }
  if (tip === null || about.isInBase || isLanded(about)) return nothing
  const before = predecessors(shelf, tasks, branch)
  return {
    ...about,
    guarded: [],
    approval: approvalOf({ tasks, tip, config, reviews: reviewsAbout(shelf, tasks), ...vouching(shelf) }),
    changedRefs: changedDuring(shelf, tasks),
    needs: unlandedNeeds(shelf, before, tip),
    landed: landedHeads(shelf, withoutLost(shelf, [...tasksOn(shelf, branch), ...before])),
  }
}

function changedDuring({ view: { ws } }: Shelf, tasks: readonly Task[]): string | null {
  if (ws.live === null) return null
  const runs = runsWithChangedRefs(ws.live, ws.ledger)
  const found = tasks.flatMap((task) => task.runs.flatMap(({ run }) => runs.get(run) ?? []))
  return found[0] ?? null
}

/** Without the tasks whose work has landed before that of the next tasks on the branch. */
function notLandedAlone(tasks: readonly Task[], { name }: LandBase, tip: string | null): readonly Task[] {
  const rest = tasks.filter((task) => {
    const head = deliveringRun(task)?.head
    return head === tip || !task.landings.some((landing) => isLandedOn(landing, name) && landing.head === head)
  })
  return rest.length === 0 ? tasks : rest
}

/** The tips that have landed on the base, as they were before they were applied to it. */
function landedHeads({ base }: Shelf, tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ landings }) =>
    landings.filter((landing) => isLandedOn(landing, base.name)).map(({ head }) => head),
  )
}

/**
 * The tasks without the landings that the base has lost, for example by a reset. Only for named tasks: gza never lands
 * a task a second time by itself, because a person who rewrites the base usually keeps the work in other commits.
 */
function withoutLost({ view, base }: Shelf, tasks: readonly Task[]): Task[] {
  const lastOf = ({ commits }: LandAttempt) => commits?.at(-1) ?? null
  const landed = tasks
    .flatMap(({ landings }) => landings)
    .flatMap((landing) => (isLandedOn(landing, base.name) ? (lastOf(landing) ?? []) : []))
  if (landed.length === 0) return [...tasks]
  const args = ['rev-list', '--ignore-missing', ...new Set(landed), '--not', base.tip, '--']
  const lost = new Set<string | null>(runGit(view.ws.repo, args).toString().split('\n').filter(Boolean))
  const isThere = (landing: LandAttempt) => !isLandedOn(landing, base.name) || !lost.has(lastOf(landing))
  return lost.size === 0 ? [...tasks] : tasks.map((task) => ({ ...task, landings: task.landings.filter(isThere) }))
}

/** A person has merged the branch and removed it. */
function isMergedAway(shelf: Shelf, tasks: readonly Task[]): boolean {
  const head = commitOrNull(tasks.at(-1)?.closed_commit)
  return head !== null && isInHistory(shelf, head)
}

/** The tasks that make commits, ordered by completion; open ones come last. */
function tasksOn({ uids, task }: Shelf, branch: string): Task[] {
  return (uids.get(branch) ?? [])
    .flatMap((uid) => task(uid) ?? [])
    .filter(({ type }) => OUTPUT_FOLDERS[type] === undefined)
    .sort((a, b) => compareText(a.closed_at ?? '~', b.closed_at ?? '~') || a.number - b.number)
}

/** All tasks on other branches that these depend on, directly or indirectly. */
function predecessors({ task }: Shelf, tasks: readonly Task[], branch: string): Task[] {
  const found = new Map<string, Task>()
  const queue = tasks.flatMap(dependenciesOf)
  for (let ref = queue.pop(); ref !== undefined; ref = queue.pop()) {
    const before = task(uidOf(ref))
    if (before === null || found.has(before.uid)) continue
    found.set(before.uid, before)
    queue.push(...dependenciesOf(before))
  }
  return [...found.values()].filter((before) => before.branch !== undefined && before.branch !== branch)
}

/** Branches of predecessors whose work is in the history of this branch but has not landed on the base. */
function unlandedNeeds(shelf: Shelf, before: readonly Task[], tip: string): string[] {
  const branches = new Set(before.flatMap(({ branch }) => branch ?? []))
  if (branches.size === 0) return []
  const onBranches = [...branches].flatMap((branch) => tasksOn(shelf, branch))
  const own = commitsBeyond(shelf, tip, landedHeads(shelf, onBranches))
  // An agent that stopped before its first commit has left a commit of others as its own.
  const finished = onBranches.flatMap((task) => deliveringRun(task)?.head ?? [])
  const unfinished = onBranches.some(isSetAside) ? commitsBeyond(shelf, tip, finished) : own
  return [...branches].filter((branch) => {
    const tasks = tasksOn(shelf, branch)
    const at = shelf.tips.get(branch) ?? null
    if (tasks.length === 0 || isLanded({ tasks, tip: at, base: shelf.base.name })) return false
    return tasks.some((task) =>
      isSetAside(task)
        ? [at, ...runHeads(task)].some((head) => isIn(unfinished, head) && isIn(own, head))
        : [at, task.closed_commit, ...runHeads(task)].some((head) => isIn(own, head)),
    )
  })
}

function isIn(commits: ReadonlySet<string>, head: unknown): boolean {
  return typeof head === 'string' && commits.has(head)
}

function runHeads({ runs }: Task): unknown[] {
  return runs.map(({ head }) => head)
}

/** The commits that are not in the base and not in the history of the others. */
function commitsBeyond({ view, base }: Shelf, tip: string, others: readonly string[]): Set<string> {
  const args = ['rev-list', '--ignore-missing', tip, '--not', base.tip, ...new Set(others), '--']
  return new Set(runGit(view.ws.repo, args).toString().split('\n').filter(Boolean))
}

function withGuarded(shelf: Shelf, landables: readonly QueuedBranch[]): QueuedBranch[] {
  const { view, base } = shelf
  const tips = landables.flatMap((landable) =>
    landable.tip === null || landable.isInBase || isLanded(landable) ? [] : [landable.tip],
  )
  if (tips.length === 0) return [...landables]
  const changed = changedSince(view.ws.repo, base.tip, [...new Set(tips)])
  const hooks = hooksFolder(view)
  return landables.map((landable) => {
    const files = changed.get(landable.tip ?? '') ?? []
    const guarded = guardedFiles(files, hooks)
    const outside = outsideOf(landable, files)
    const weakened = weakenedBy(shelf, landable)
    if (guarded.length + outside.length + weakened.length === 0) return landable
    const isOwn = ownChanges(shelf, landable)
    const found = { guarded: guarded.filter(isOwn), outside: outside.filter(isOwn) }
    const asks = { asksAboutScope: shelf.config.scope === 'ask', asksAboutWeakened: shelf.config.weakened === 'ask' }
    return { ...landable, ...found, weakened: weakened.filter(({ path }) => isOwn(path)), ...asks }
  })
}

/** If a task of the branch declares nothing, only what the runs of the others have recorded is known. */
function outsideOf({ tasks }: QueuedBranch, files: readonly ChangedFile[]): string[] {
  const paths = files.map(({ path }) => path)
  const declared = tasks.map(declaredFiles)
  if (declared.every(({ length }) => length > 0)) return outsideScope(declared.flat(), paths)
  const recorded = new Set(tasks.flatMap((task) => deliveringRun(task)?.outside ?? []))
  return paths.filter((path) => recorded.has(path))
}

/** What its runs have recorded. Where it decides about landing, the branch itself is read, with all that is on it. */
function weakenedBy({ view, config, base }: Shelf, { tasks, tip }: QueuedBranch): readonly Weakening[] {
  if (tip === null) return []
  if (config.weakened === 'report') return tasks.flatMap((task) => recordedWeakenings(deliveringRun(task)))
  const fork = tryGit(view.ws.repo, ['merge-base', base.tip, tip])
  const from = fork.code === 0 ? fork.stdout.toString().trim() : base.tip
  const change = { from, to: tip, commands: [config.verify.command, config.verify.test_command] }
  const known = judged.get(view.ws.repo) ?? new Map<string, readonly Weakening[]>()
  const key = JSON.stringify(change)
  const found = known.get(key) ?? readWeakenedNow(view.ws.repo, change)
  judged.set(view.ws.repo, known.set(key, found))
  return found
}

/** Commits never change, and gza web and a work session ask for the same ones again and again. */
const judged = new WeakMap<Repo, Map<string, readonly Weakening[]>>()

/**
 * Whether the branch itself changed a path: it is not already in the base, and was not merged from other branches.
 */
function ownChanges({ view, base, tips }: Shelf, { tip, needs }: QueuedBranch): (path: string) => boolean {
  const sources = [base.tip, ...needs.flatMap((branch) => tips.get(branch) ?? [])]
  const differing = sources.map((source) => new Set(changedFilesNow(view.ws.repo, source, String(tip))))
  return (path) => differing.every((files) => files.has(path))
}

/** The folder with git hooks (`core.hooksPath`), if it is in the repository. */
function hooksFolder({ ws: { repo } }: LedgerView): string | null {
  const path = tryGit(repo, ['config', 'core.hooksPath']).stdout.toString().trim().replace(/\/+$/, '')
  const inside =
    repo.workTree !== null && path.startsWith(`${repo.workTree}/`) ? path.slice(repo.workTree.length + 1) : path
  return inside === '' || inside.startsWith('/') || inside.startsWith('~') ? null : inside.replace(/^\.\//, '')
}

function reviewsAbout({ view, task }: Shelf, tasks: readonly Task[]): Task[] {
  return tasks.flatMap(({ uid }) => reviewsOf(view.ws.state, view.row.lid, uid)).flatMap((uid) => task(uid) ?? [])
}

/** An agent could write an approval to the ledger itself, so it counts only if a worker on this machine received it. */
function vouching({ view: { ws } }: Shelf) {
  return {
    isVouchedRun: (uid: string, run: Run) => isVouchedRun(ws, uid, run),
    isVouchedPhase: (phase: Phase) => isVouchedPhase(ws, phase),
  }
}
