/**
 * Which commits of a branch are a task's finished work, and which were left by agents that did not finish their task.
 * Several tasks can work on one branch, so the tip of the branch does not answer this.
 */
import { isCommitId } from '../ledger/stored-names.ts'
import { isFinished } from '../task/status-predicates.ts'
import { dependenciesOf, type Run, refOf, type Task, uidOf } from '../task/task.ts'

/** The run that completed the task on its branch; null: no agent did; a person may have closed the task. */
export function deliveringRun(task: Task): Run | null {
  if (task.status !== 'completed') return null
  const last = runsOnBranch(task).findLast(({ ended_at }) => ended_at !== undefined)
  if (last?.outcome !== 'completed') return null
  // Undoing a reopening closes the task as before, in a higher generation.
  const isOfTask = (last.generation ?? 0) === task.generation || task.closed_by === last.agent
  return isOfTask ? withCommit(last) : null
}

function withCommit(run: Run): Run {
  if (run.head === undefined || isCommitId(run.head)) return run
  const { head: _notACommit, ...rest } = run
  return rest as Run
}

/** A claimed task, and one of `git tasks run`, is worked on in a checkout of its holder. */
function runsOnBranch({ runs }: Task): Run[] {
  return runs.filter(({ claimed, in_tree }) => !claimed && !in_tree)
}

/** Skipped, or closed by hand: what agents left on its branch is not its finished work. */
export function isSetAside(task: Task): boolean {
  if (!isFinished(task)) return false
  return task.status === 'skipped' || (runsOnBranch(task).length > 0 && deliveringRun(task) === null)
}

/**
 * The commit with the finished work of a task and of the improve tasks that continue it. It is the tip of the branch,
 * which may also have commits made by hand, unless another task has worked on the branch that the task does not depend
 * on. `others`: the other tasks of the branch. Null: nothing of it is on a branch that exists.
 */
export function finishedHead(task: Task, others: readonly Task[], tip: string | null): string | null {
  if (isSetAside(task)) return null
  const isNext = (other: Task) => other.type === 'improve' && other.based_on[0] === refOf(task)
  const improved = others.findLast((other) => isNext(other) && deliveringRun(other) !== null)
  if (improved !== undefined) {
    const rest = [task, ...others].filter(({ uid }) => uid !== improved.uid)
    return finishedHead(improved, rest, tip)
  }
  const before = dependenciesAmong(task, others)
  const isAlone = others.every(({ uid, runs }) => before.has(uid) || runs.length === 0)
  const head = deliveringRun(task)?.head
  return isAlone || head === undefined ? tip : head
}

/** The uids of those tasks that the task depends on, directly or through others of them. */
function dependenciesAmong(task: Task, others: readonly Task[]): Set<string> {
  const byUid = new Map(others.map((other) => [other.uid, other]))
  const found = new Set<string>()
  const queue = dependenciesOf(task).map(uidOf)
  for (let uid = queue.pop(); uid !== undefined; uid = queue.pop()) {
    const before = byUid.get(uid)
    if (before === undefined || found.has(uid)) continue
    found.add(uid)
    queue.push(...dependenciesOf(before).map(uidOf))
  }
  return found
}

/** Whether another task that this one does not depend on has ended on the branch without finishing its work there. */
export function hasUnfinishedWork(task: Task, others: readonly Task[]): boolean {
  const before = dependenciesAmong(task, others)
  return others.some((other) => {
    if (other.uid === task.uid || before.has(other.uid)) return false
    return runsOnBranch(other).at(-1)?.ended_at !== undefined && deliveringRun(other) === null
  })
}

export interface SplitBranch {
  /** The tasks whose work has nothing of the set-aside ones in it. */
  kept: Task[]
  /** The set-aside tasks, and those that may be built on them. */
  left: Task[]
}

/**
 * Divides the tasks of a branch at the first one that was set aside. Only tasks that a set-aside one depends on are
 * known to have been there before it.
 */
export function splitAtSetAside(tasks: readonly Task[], isLeft: (task: Task) => boolean = isSetAside): SplitBranch {
  const aside = tasks.filter(isLeft)
  if (aside.length === 0) return { kept: [...tasks], left: [] }
  const isAside = new Set(aside.map(({ uid }) => uid))
  const before = new Set(aside.flatMap((task) => [...dependenciesAmong(task, tasks)]))
  const isKept = (task: Task) =>
    before.has(task.uid) && !isAside.has(task.uid) && isAside.isDisjointFrom(dependenciesAmong(task, tasks))
  return { kept: tasks.filter(isKept), left: tasks.filter((task) => !isKept(task)) }
}
