import type { Entry } from '../../state/index/index-tables.ts'
import { leasesByLife } from '../../state/live/leases.ts'
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

/** Those with a run whose gza has died: its agent may still work, and its end is not recorded. */
export function orphanedTasks({ ws }: LedgerView, rows: readonly Entry[]): Entry[] {
  if (ws.live === null) return []
  const { abandoned } = leasesByLife(ws.live, ws.now())
  const dead = new Set(abandoned.filter(({ expires_at }) => expires_at === null).map(({ uid }) => uid))
  return rows.filter(({ uid }) => dead.has(uid))
}

/** `#3 (task-a3f8), #4 (task-b2c1) are in progress on HOST`: the host of the first. */
export function busyWords(busy: readonly BusyTask[]): string {
  const names = busy.map(({ row }) => `#${row.number} (${row.id})`).join(', ')
  const host = busy[0]?.host ?? null
  return `${names} ${busy.length === 1 ? 'is' : 'are'} in progress${host === null ? '' : ` on ${host}`}`
}
