import { command, sentence } from '../core/sentence.ts'
import { isPartOf } from '../core/size/parts.ts'
import { missingFrom } from '../core/size/remake-parts.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { editTask as edit, reopenForWork, setVerdict } from '../core/task/operations.ts'
import { isOpen } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { childrenOf } from '../state/index/family-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { refuseTakenKey } from '../workspace/ledger/taken-keys.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { type FieldInput, fieldsFrom, verdictFrom } from '../workspace/views/field-input.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { commitToJudge } from './checks/commit-to-judge.ts'
import { refuseCycles } from './checks/refuse-cycles.ts'
import { refuseNothingToReview } from './checks/refuse-nothing-to-review.ts'
import { warnOfFinishedParent } from './checks/warn-of-finished-parent.ts'

export interface EditInput extends FieldInput {
  verdict?: string
  reopen?: boolean
}

export function editTask(ws: Workspace, ref: string, { verdict, reopen, ...input }: EditInput): TaskView {
  assertAllowed('edit', ws.actor)
  // The commit of a task that was closed before its commit was made.
  if (verdict) readLinkedLedger(ws)
  const edited = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    const fields = fieldsFrom(view, input)
    refuseHeld(view, task, fields.assigned_agent)
    if (verdict === '') fields.final_verdict = null
    const authorship = { at: ws.now(), by: ws.actor.name }
    if (verdict && reopen) throw reopenedVerdict()
    const open = reopen && task.status !== 'pending' ? reopenForWork(task, authorship) : task
    const judged = verdict
      ? setVerdict(open, verdictFrom(verdict), { ...authorship, head: commitToJudge(view, task, verdict) })
      : open
    const result = edit(judged, fields, authorship)
    if (result.key !== task.key) refuseTakenKey(view, result)
    const number = entry(view, task.uid)?.number ?? task.number
    refuseNothingToReview(result, { ...task, number })
    const name = `Task #${number}`
    refuseCycles(view, [result], {
      waits: `${name} would wait for itself`,
      parents: `${name} would be its own ancestor`,
      hint: 'Nothing was changed. Leave out one of these links.',
    })
    if (result !== task) warnOfParts(view, result)
    if (isOpen(result) && (!isOpen(task) || result.parent !== task.parent)) warnOfFinishedParent(view, result)
    return { tasks: result === task ? [] : [result], subject: editSubject(task, result), result }
  })
  return viewChanged(ws, [edited])[0] as TaskView
}

function reopenedVerdict(): UserError {
  return new UserError('USAGE', '--reopen asks for more work, so that --verdict would have no finished work to judge', {
    hint: 'Give one of them.',
    exitCode: 2,
  })
}

/** Taking a task away from its holder is more than an edit, so it needs its own command. */
function refuseHeld({ leased }: LedgerView, { uid, number, assigned_agent }: Task, agent: unknown): void {
  if (agent === undefined || agent === (assigned_agent ?? null) || !leased.has(uid)) return
  throw new UserError('TASK_RUNNING', `Somebody is working on #${number}`, {
    hint: sentence`${command`assign ${number} ${String(agent ?? '--none')}`} takes it away from them.`,
  })
}

function editSubject(before: Task, after: Task): string {
  if (after.generation > before.generation) return `reopen ${after.id}`
  const fields = after.edits
    .filter((candidate) => !before.edits.includes(candidate))
    .map((candidate) => candidate.field)
  return `edit ${after.id} ${fields.join(', ')}`.trimEnd()
}

/** Agents work on the parts of a split task, not on the task itself. Nobody would do what an edit adds only to the task. */
function warnOfParts({ ws, row }: LedgerView, whole: Task): void {
  const children = childrenOf(ws.state, row.lid, whole.uid)
  const parts = children
    .flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
    .filter((child) => isPartOf(child, whole))
  const last = parts.at(-1)
  const missing = last === undefined ? [] : missingFrom(parts, whole)
  if (last === undefined || missing.length === 0) return
  const what = missing.map((each) => `'${each}'`).join(', ')
  ws.warnings.push(
    sentence`${whole.key ?? whole.id} is split, but none of its parts has ${what}: ${command`edit ${last.key ?? last.id}`}`,
  )
}
