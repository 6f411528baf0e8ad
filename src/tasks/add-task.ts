import { command } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { refuseTakenKey } from '../workspace/ledger/taken-keys.ts'
import { type AddInput, newTaskFrom } from '../workspace/views/field-input.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type CycleWords, refuseCycles } from './checks/refuse-cycles.ts'
import { refuseNothingToReview } from './checks/refuse-nothing-to-review.ts'
import { warnOfFinishedParent } from './checks/warn-of-finished-parent.ts'
import { openTaskFactory } from './task-factory.ts'

export function addTask(ws: Workspace, input: AddInput): TaskView {
  if (input.same_branch && !input.based_on?.length) {
    const hint = command`add --based-on 1 --same-branch`
    throw new UserError('NEEDS_BASED_ON', '--same-branch requires --based-on', { hint, exitCode: 2 })
  }
  const task = changeLedger(ws, (view) => {
    const created = openTaskFactory(view)({ ...inherited(view, input), ...newTaskFrom(view, input) })
    refuseNothingToReview(created)
    refuseTakenKey(view, created)
    refuseCycles(view, [created], ADD_WORDS)
    warnOfFinishedParent(view, created)
    return { tasks: [created], subject: `add ${created.id}`, result: created }
  })
  return viewChanged(ws, [task])[0] as TaskView
}

/** Nothing can be above a new task and also below it: only a parent can make it wait for itself. */
const ADD_WORDS: CycleWords = {
  waits: 'The new task would wait for itself',
  parents: 'The new task would be its own ancestor',
  hint: 'Nothing was filed. Leave out one of these links, or --parent.',
}

/** A subtask belongs to the plan, project, group and milestone of its parent, unless it has its own. */
function inherited(view: LedgerView, input: AddInput) {
  if (!input.parent) return {}
  const { plan_file, project, group, milestone_id } = findTask(view, input.parent)
  return { plan_file, project, group, milestone_id }
}
