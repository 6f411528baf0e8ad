import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { heldFiling } from '../core/task/filed-in.ts'
import { addAnswer, addNote, closeTask, editTask, reopenForWork, reopenTask } from '../core/task/operations.ts'
import { unanswered } from '../core/task/questions.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { tryGit } from '../platform/git/git.ts'
import { settleMatter } from '../reports/matter-items.ts'
import { listed } from '../reports/read-deadlock.ts'
import { openOnHold, pendingEntries } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { withFinishedParents } from '../tasks/checks/finish-parents.ts'
import { refuseOpenChildren } from '../tasks/checks/refuse-open-children.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { writeNotes } from '../workspace/ledger/link-commits.ts'
import { commitsToLink } from '../workspace/links/commits-to-link.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const RESOLUTIONS = ['fixed', 'skip', 'reset', 'abort', 'resume'] as const
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
    if (task.status === 'completed' && resolution !== 'resume')
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
  // What is decided no longer waits for a decision.
  const decided = editTask(open, { on_hold: null }, now)
  switch (resolution) {
    case 'fixed': {
      const commits = fix === null ? ownCommits(view, task) : [fix]
      return [closeTask(decided, 'completed', now, { head: null, branch: null, commits })]
    }
    case 'skip':
      return [closeTask(decided, 'skipped', now, { head: null, branch: null, commits: [] })]
    case 'reset':
      warnOfHold(view, task)
      return [withoutQuestion(view, reopenForWork(task, now))]
    case 'resume':
      return lifted(view, task)
    case 'abort':
      return [task, ...restOfWorkflow(view, task)].map((each) => hold(view, each))
    default:
      return resolution satisfies never
  }
}

/** A reset starts anew, so nobody waits for an answer. */
function withoutQuestion({ ws }: LedgerView, task: Task): Task {
  if (unanswered(task).length === 0) return task
  return addAnswer(task, 'reset without an answer', { at: ws.now(), by: ws.actor.name }, ws.random(8))
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
  return open.filter((other) => other.uid !== task.uid && isSameWorkflow(task, other))
}

/** What one run filed beyond a limit is one decision, whatever else these tasks belong to. */
function isSameWorkflow(task: Task, other: Task): boolean {
  const [filing, others] = [heldFiling(task), heldFiling(other)]
  if (filing !== null || others !== null) return filing?.run === others?.run && filing?.held === others?.held
  const isSameGroup = task.group !== undefined && other.group === task.group
  return isSameGroup || (task.plan_file !== undefined && other.plan_file === task.plan_file)
}

/** The held tasks of its workflow, itself included; one abort can have stopped a group and a plan. */
function heldWith({ ws, row }: LedgerView, task: Task): Task[] {
  const held = [...openOnHold(ws.state, row.lid)]
    .flatMap((uid) => taskOf(ws.state, row.lid, uid) ?? [])
    .filter(({ moved_to }) => moved_to === undefined)
  const found = new Set(held.filter(({ uid }) => uid === task.uid))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const other of held) if ([task, ...found].some((each) => isSameWorkflow(each, other))) found.add(other)
  }
  return [...found].sort((a, b) => a.number - b.number)
}

function lifted(view: LedgerView, task: Task): Task[] {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const held = heldWith(view, task)
  const number = entry(view, task.uid)?.number ?? task.number
  if (held.length === 0)
    throw new UserError('NOT_ON_HOLD', `Neither task #${number} nor its workflow is on hold`, {
      hint: command`why ${number}`,
    })
  const noteOf = (each: Task) =>
    heldFiling(each) === null ? 'no longer on hold: its workflow was resumed' : 'no longer on hold: a person let it run'
  return held.map((each) => addNote(editTask(each, { on_hold: null }, now), noteOf(each), now, view.ws.random(8)))
}

/** A reset counts attempts anew, and does not resume what was aborted. */
function warnOfHold(view: LedgerView, task: Task): void {
  const numbers = heldWith(view, task).map(({ uid, number }) => entry(view, uid)?.number ?? number)
  const [first] = numbers
  if (first === undefined) return
  const names = listed(numbers.map((number) => `#${number}`))
  view.ws.warnings.push(sentence`Still on hold: ${names}. ${command`resolve ${first} --resume`} resumes the workflow.`)
}

function hold(view: LedgerView, task: Task): Task {
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  return addNote(editTask(task, { on_hold: true }, now), 'on hold: its workflow was aborted', now, view.ws.random(8))
}
