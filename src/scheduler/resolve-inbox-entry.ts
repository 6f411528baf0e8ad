import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { addNote, closeTask, editTask, reopenForWork, reopenTask } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { tryGit } from '../platform/git/git.ts'
import { settleMatter } from '../reports/matter-items.ts'
import { pendingEntries } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { withFinishedParents } from '../tasks/checks/finish-parents.ts'
import { refuseOpenChildren } from '../tasks/checks/refuse-open-children.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { writeNotes } from '../workspace/ledger/link-commits.ts'
import { commitsToLink } from '../workspace/links/commits-to-link.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const RESOLUTIONS = ['fixed', 'skip', 'reset', 'abort'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/**
 * A person's decision about an entry of the inbox: a task that agents could not finish, or an entry that belongs to no
 * task. Null means the latter: no task has changed.
 */
export function resolveInboxEntry(ws: Workspace, ref: string, decision: Decision): TaskView[] | null {
  return settleMatter(ws, ref, decision.resolution) ? null : resolveTask(ws, ref, decision)
}

export interface Decision {
  resolution: Resolution
  /** With `fixed`: the commit in which a person has done the task. */
  commit?: string
}

function resolveTask(ws: Workspace, ref: string, { resolution, commit }: Decision): TaskView[] {
  assertAllowed('resolve', ws.actor)
  const fix = commit === undefined ? null : commitNamed(ws, commit)
  const changed = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (task.status === 'completed')
      throw new UserError('TASK_CLOSED', `${task.id} is completed`, { hint: command`edit ${ref} --reopen` })
    const tasks = resolved(view, task, { resolution, fix })
    refuseOpenChildren(view, tasks)
    const change = withFinishedParents(view, { tasks, subject: `resolve ${task.id} ${resolution}` })
    return { ...change, result: change.tasks }
  })
  writeNotes(ws, changed)
  return viewChanged(ws, changed)
}

function commitNamed({ repo }: Workspace, name: string): string {
  const exit = tryGit(repo, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  if (exit.code === 0) return exit.stdout.toString().trim()
  throw new UserError('COMMIT_NOT_FOUND', `There is no commit ${name}`, { hint: 'git log --oneline --all' })
}

function resolved(view: LedgerView, task: Task, { resolution, fix }: ResolvedAs): Task[] {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const open = task.status === 'pending' ? task : reopenTask(task)
  switch (resolution) {
    case 'fixed': {
      const commits = fix === null ? ownCommits(view, task) : [fix]
      return [closeTask(open, 'completed', now, { head: null, branch: null, commits })]
    }
    case 'skip':
      return [closeTask(open, 'skipped', now, { head: null, branch: null, commits: [] })]
    case 'reset':
      return [reopenForWork(task, now)]
    case 'abort':
      return [task, ...restOfWorkflow(view, task)].map((each) => hold(view, each))
    default:
      return resolution satisfies never
  }
}

interface ResolvedAs {
  resolution: Resolution
  fix: string | null
}

/** The person's commits, without those at which its agents have stopped. */
function ownCommits(view: LedgerView, task: Task): string[] {
  const heads = new Set(task.runs.map(({ head }) => head))
  return commitsToLink(view, task).filter((commit) => !heads.has(commit))
}

/** What is left of the group or plan that the task belongs to. */
function restOfWorkflow({ ws, row }: LedgerView, task: Task): Task[] {
  const open = pendingEntries(ws.state, row.lid).flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
  const isSame = (other: Task) =>
    (task.group !== undefined && other.group === task.group) ||
    (task.plan_file !== undefined && other.plan_file === task.plan_file)
  return open.filter((other) => other.uid !== task.uid && isSame(other))
}

function hold(view: LedgerView, task: Task): Task {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  return addNote(editTask(task, { on_hold: true }, now), 'on hold: its workflow was aborted', now, view.ws.random(8))
}
