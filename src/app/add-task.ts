import { UserError } from '../core/user-error.ts'
import { changeLedger } from './change-ledger.ts'
import { type AddInput, newTaskFrom } from './field-input.ts'
import { findTask, type LedgerView } from './ledger-view.ts'
import { openNursery } from './nursery.ts'
import { type CycleWords, refuseCycles } from './refuse-cycles.ts'
import { refuseTakenKey } from './taken-keys.ts'
import { viewChanged } from './view-changed.ts'
import type { TaskView } from './views.ts'
import { warnOfFinishedParent } from './warn-of-finished-parent.ts'
import type { Workspace } from './workspace.ts'

export function addTask(ws: Workspace, input: AddInput): TaskView {
  if (input.same_branch && !input.based_on?.length) {
    const hint = 'gza add --based-on 1 --same-branch'
    throw new UserError('NEEDS_BASED_ON', '--same-branch requires --based-on', { hint, exitCode: 2 })
  }
  if (input.auto_review && MAKES_NO_COMMITS.has(input.type ?? '')) {
    const hint = 'gza add --type implement --auto-review'
    throw new UserError('NOTHING_TO_REVIEW', `A ${input.type} task makes no commits to review`, { hint, exitCode: 2 })
  }
  const task = changeLedger(ws, (view) => {
    const created = openNursery(view)({ ...inherited(view, input), ...newTaskFrom(view, input) })
    refuseTakenKey(view, created)
    refuseCycles(view, [created], ADD_WORDS)
    warnOfFinishedParent(view, created)
    return { tasks: [created], subject: `add ${created.id}`, result: created }
  })
  return viewChanged(ws, [task])[0] as TaskView
}

/** Nothing can be above a new task that is below it: only a parent can make it wait for itself. */
const ADD_WORDS: CycleWords = {
  waits: 'The new task would wait for itself',
  parents: 'The new task would be its own ancestor',
  hint: 'Nothing was filed. Leave out one of these links, or --parent.',
}

const MAKES_NO_COMMITS = new Set(['plan', 'explore', 'review'])

/** A subtask belongs to the plan, project, group and milestone of its parent unless it says otherwise. */
function inherited(view: LedgerView, input: AddInput) {
  if (!input.parent) return {}
  const { plan_file, project, group, milestone_id } = findTask(view, input.parent)
  return { plan_file, project, group, milestone_id }
}
