import { assertAllowed } from '../core/agent-mode.ts'
import { findCycle } from '../core/graph.ts'
import { editTask as edit, reopenForWork, setVerdict } from '../core/operations.ts'
import { dependenciesOf, type Task, uidOf } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import { readRef } from '../platform/refs.ts'
import { entriesNeededBy } from '../state/sqlite/read-index.ts'
import { changeLedger } from './change-ledger.ts'
import { type FieldInput, fieldsFrom, verdictFrom } from './field-input.ts'
import { entry, findTask, type LedgerView } from './ledger-view.ts'
import { viewChanged } from './view-changed.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

export interface EditInput extends FieldInput {
  verdict?: string
  reopen?: boolean
}

export function editTask(ws: Workspace, ref: string, { verdict, reopen, ...input }: EditInput): TaskView {
  assertAllowed('edit', ws.actor)
  const edited = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    const fields = fieldsFrom(view, input)
    refuseHeld(view, task, fields.assigned_agent)
    if (verdict === '') fields.final_verdict = null
    const happening = { at: ws.now(), by: ws.actor.name }
    const open = reopen && task.status !== 'pending' ? reopenForWork(task, happening) : task
    const judged = verdict ? setVerdict(open, verdictFrom(verdict), { ...happening, head: tipOf(ws, task) }) : open
    const result = edit(judged, fields, happening)
    assertNoCycle(view, result)
    return { tasks: result === task ? [] : [result], subject: editSubject(task, result), result }
  })
  return viewChanged(ws, [edited])[0] as TaskView
}

/** Who holds a task is told by name: to take it away is more than an edit. */
function refuseHeld({ leased }: LedgerView, { uid, number, assigned_agent }: Task, agent: unknown): void {
  if (agent === undefined || agent === (assigned_agent ?? null) || !leased.has(uid)) return
  throw new UserError('TASK_RUNNING', `Somebody is working on #${number}`, {
    hint: `gza assign ${number} ${agent ?? '--none'} takes it from them.`,
  })
}

/** What a person sees who judges the work now. */
function tipOf({ repo }: Workspace, { branch, closed_commit }: Task): string | null {
  return (branch === undefined ? null : readRef(repo, `refs/heads/${branch}`)) ?? closed_commit
}

function editSubject(before: Task, after: Task): string {
  if (after.generation > before.generation) return `reopen ${after.id}`
  const fields = after.edits
    .filter((candidate) => !before.edits.includes(candidate))
    .map((candidate) => candidate.field)
  return `edit ${after.id} ${fields.join(', ')}`.trimEnd()
}

/** Refuses dependencies or parents that would come back to where they start. */
export function assertNoCycle(view: LedgerView, task: Task): void {
  const loop = loopThrough(task.uid, dependenciesOf(task).map(uidOf), dependenciesIn(view))
  if (loop) throw cycleError('DEPENDENCY_CYCLE', 'would wait for itself', view, loop)
  const parents = task.parent ? [uidOf(task.parent)] : []
  const family = loopThrough(task.uid, parents, (uid) => {
    const parent = entry(view, uid)?.parent
    return parent ? [parent] : []
  })
  if (family) throw cycleError('PARENT_CYCLE', 'would be its own ancestor', view, family)
}

function dependenciesIn(view: LedgerView) {
  return (uid: string) => entriesNeededBy(view.ws.state, view.row.lid, uid).map((needed) => needed.needed)
}

/** Only what can be reached from the task is read: its own new edges, and the ledger's for all others. */
function loopThrough(start: string, edges: readonly string[], next: (uid: string) => string[]): string[] | null {
  const graph = new Map<string, readonly string[]>([[start, edges]])
  const queue = [...edges]
  for (let uid = queue.pop(); uid !== undefined; uid = queue.pop()) {
    if (graph.has(uid)) continue
    const onward = next(uid)
    graph.set(uid, onward)
    queue.push(...onward)
  }
  return findCycle(graph, start)
}

function cycleError(code: string, what: string, view: LedgerView, loop: readonly string[]): UserError {
  const names = loop.map((uid) => `#${entry(view, uid)?.number ?? '?'}`)
  const closed = names[0] === names.at(-1) ? names : [...names, names[0]]
  return new UserError(code, `Task ${names[0]} ${what}: ${closed.join(' → ')}`, {
    hint: 'Nothing was changed. Leave out one of these links.',
  })
}
