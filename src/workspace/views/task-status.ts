/** The status of a task as people see it, what it waits for, and how it is named. */
import type { OpenRun } from '../../core/task/open-runs.ts'
import type { DerivedStatus } from '../../core/task/task.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { type Blocker, blockersOfRows, entriesOf } from '../../state/index/relations.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import type { TaskName } from './views.ts'

export type StatusRow = Pick<Entry, 'uid' | 'status' | 'unmet' | 'open_runs'>

/** The stored status, refined by what is happening now: a lease or a run elsewhere, otherwise what it waits for. */
export function derivedStatus(view: LedgerView, row: StatusRow): DerivedStatus {
  if (row.status !== 'pending') return row.status
  if (view.leased.has(row.uid) || runElsewhere(view, row) !== null) return 'in_progress'
  return row.unmet > 0 || view.stuck.has(row.uid) ? 'blocked' : 'pending'
}

/** The host of a run that another clone started and has not ended. */
export function runningOn(view: LedgerView, row: RunningRow): string | null {
  return runElsewhere(view, row)?.machine ?? null
}

type RunningRow = Pick<Entry, 'uid' | 'status' | 'open_runs'>

/** Whose run it is, is found out only for tasks that have an open one: few have. */
function runElsewhere({ ws }: LedgerView, row: RunningRow): OpenRun | null {
  if (row.open_runs === null) return null
  const runs: typeof import('../ledger/running-elsewhere.ts') = require('../ledger/running-elsewhere.ts')
  return runs.runElsewhere(ws, row)
}

type WaitingRow = Pick<Entry, 'row' | 'uid' | 'status' | 'unmet'>

/** The unfinished tasks that an open task waits for, and those of its children that have failed. */
export function blockersOf(view: LedgerView, row: WaitingRow): TaskName[] {
  return readBlockers(view, [row])(row)
}

/** The same of many tasks, read at once. */
export function readBlockers(view: LedgerView, rows: readonly WaitingRow[]): (row: WaitingRow) => TaskName[] {
  const waiting: number[] = []
  for (const { row, status, unmet } of rows) if (status === 'pending' && unmet > 0) waiting.push(row)
  const blockers = blockersOfRows(view.ws.state, waiting)
  return (row) => {
    const names: TaskName[] = []
    if (row.status !== 'pending') return names
    for (const unmet of blockers.get(row.row) ?? []) names.push(blockerName(view, unmet))
    for (const child of failedChildren(view, row.uid)) names.push(nameOf(view, child))
    return names
  }
}

export function blockerName(view: LedgerView, { uid, known }: Blocker): TaskName {
  return known === null ? unknownTask(uid) : nameOf(view, known)
}

export function failedChildren(view: LedgerView, uid: string): readonly Entry[] {
  if (!view.stuck.has(uid)) return []
  let failed = FAILED.get(view)
  if (failed === undefined) {
    const {
      failedParts,
    }: typeof import('../../state/index/family-entries.ts') = require('../../state/index/family-entries.ts')
    failed = Map.groupBy(failedParts(view.ws.state, view.row.lid), ({ parent }) => parent)
    FAILED.set(view, failed)
  }
  return failed.get(uid) ?? []
}

/** A view is one moment of a ledger: its failed parts are read once. */
const FAILED = new WeakMap<LedgerView, ReadonlyMap<string | null, readonly Entry[]>>()

export function nameOf(view: LedgerView, row: StatusRow & Pick<Entry, 'id' | 'number' | 'title'>): TaskName {
  return { number: row.number, id: row.id, title: row.title, status: derivedStatus(view, row) }
}

/** Also of a task that this ledger does not hold. */
export function nameBy(view: LedgerView, uid: string): TaskName {
  return namesBy(view, [uid])[0] as TaskName
}

export function namesBy(view: LedgerView, uids: readonly string[]): TaskName[] {
  const rows = entriesOf(view.ws.state, view.row.lid, uids)
  const names: TaskName[] = []
  for (const uid of uids) {
    const row = rows.get(uid)
    names.push(row === undefined ? unknownTask(uid) : nameOf(view, row))
  }
  return names
}

/** A dependency that this ledger does not hold: it was filed elsewhere and not synced yet. */
export function unknownTask(uid: string): TaskName {
  return { number: 0, id: `task-${uid.slice(0, 12)}`, title: '(not in this ledger)', status: 'pending' }
}
