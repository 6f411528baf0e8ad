import type { Entry } from '../../state/index/index-tables.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { runningOn } from '../../workspace/views/task-status.ts'

export interface BusyTask {
  row: Entry
  /** The host of a run that another clone started; null if somebody works on it here. */
  host: string | null
}

/** Those of the tasks that somebody works on, in this clone or in another one. */
export function busyTasks(view: LedgerView, rows: readonly Entry[]): BusyTask[] {
  return rows.flatMap((row) => {
    const host = view.leased.has(row.uid) ? null : runningOn(view, row)
    return host !== null || view.leased.has(row.uid) ? [{ row, host }] : []
  })
}

/** `#3 (task-a3f8), #4 (task-b2c1) are in progress on HOST`: the host of the first. */
export function busyWords(busy: readonly BusyTask[]): string {
  const names = busy.map(({ row }) => `#${row.number} (${row.id})`).join(', ')
  const host = busy[0]?.host ?? null
  return `${names} ${busy.length === 1 ? 'is' : 'are'} in progress${host === null ? '' : ` on ${host}`}`
}
