import { isOpen } from '../../core/task/status.ts'
import { DERIVED_STATUSES, type DerivedStatus, TASK_TYPES } from '../../core/task/task.ts'
import { listedEntries } from '../../state/index/list-entries.ts'
import { DamagedState } from '../../state/index/open-state.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { Entry } from '../../state/index/tables.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLinkedLedger } from '../ledger/link-commits.ts'
import { readLedgers } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { oneOf } from './field-input.ts'
import { derivedStatus, viewTask } from './task-view.ts'
import type { TaskView } from './views.ts'

export interface ListOptions {
  status?: string
  all?: boolean
  allBranches?: boolean
  group?: string
  type?: string
  limit?: number
}

/** Open tasks in the order of filing; with `all` or a status also finished ones. */
export function listTasks(ws: Workspace, options: ListOptions = {}): TaskView[] {
  const wanted = wantedStatuses(options)
  const type = options.type === undefined ? undefined : oneOf('type', options.type, TASK_TYPES)
  const views = options.allBranches ? readLedgers(ws) : [readLinkedLedger(ws)]
  const matches = (view: LedgerView, row: Entry) =>
    wanted.has(derivedStatus(view, row)) &&
    (type === undefined || row.type === type) &&
    (options.group === undefined || (row.grp ?? '') === options.group)
  const listed = views.flatMap((view) =>
    liveRows(view, { archived: options.all ?? false })
      .filter((row) => matches(view, row))
      .map((row) => ({ view, row })),
  )
  return listed.slice(0, options.limit ?? listed.length).map(({ view, row }) => viewRow(view, row))
}

/** Every task that is not a tombstone, in the order of filing; archived ones only on request. */
export function liveRows(view: LedgerView, options: { archived?: boolean } = {}): Entry[] {
  return listedEntries(view.ws.state, view.row.lid, { archived: options.archived ?? false })
}

export function viewRow(view: LedgerView, row: Entry): TaskView {
  const task = taskOf(view.ws.state, view.row.lid, row.uid)
  if (task === null) throw new DamagedState(`the index has no line for ${row.id}`)
  return viewTask(view, task)
}

const OPEN = DERIVED_STATUSES.filter((status) => isOpen({ status }))
const STATUSES = [
  'pending',
  'in_progress',
  'active',
  'completed',
  'done',
  'failed',
  'skipped',
  'blocked',
  'open',
] as const

function wantedStatuses({ status, all }: ListOptions): Set<DerivedStatus> {
  if (status === undefined) return new Set(all ? DERIVED_STATUSES : OPEN)
  return new Set(status.split(',').flatMap((word) => meaning(oneOf('status', word.trim(), STATUSES))))
}

/** `done` and `active` are accepted as other names, and a blocked task is still pending. */
function meaning(word: (typeof STATUSES)[number]): DerivedStatus[] {
  if (word === 'done') return ['completed']
  if (word === 'active') return ['in_progress']
  if (word === 'pending') return ['pending', 'blocked']
  return word === 'open' ? OPEN : [word]
}
