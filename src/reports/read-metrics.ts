import { DERIVED_STATUSES, type DerivedStatus } from '../core/task/task.ts'
import { readQueue } from '../landing/read-queue.ts'
import { listPauses } from '../runs/spend/agent-pauses.ts'
import { listRuns } from '../runs/watch/list-and-kill.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readStats, type Stats } from './read-stats.ts'

/** What a program reads again and again to draw curves and to raise alarms. */
export interface Metrics {
  stats: Stats
  /** Every status, also those without a task. */
  tasks: Record<DerivedStatus, number>
  running: number
  /** How much finished work has not landed, by its code in the queue. */
  queue: { code: string; count: number }[]
  landed: number
  pauses: { agent: string; model: string; until: string }[]
}

export async function readMetrics(ws: Workspace): Promise<Metrics> {
  const stats = await readStats(ws)
  const view = readLedger(ws)
  const rows = liveRows(view, { archived: true })
  const statuses = Map.groupBy(rows, (row) => derivedStatus(view, row))
  const codes = Map.groupBy(await readQueue(ws), ({ code }) => code)
  return {
    stats,
    tasks: Object.fromEntries(DERIVED_STATUSES.map((status) => [status, statuses.get(status)?.length ?? 0])) as Record<
      DerivedStatus,
      number
    >,
    running: listRuns(ws).length,
    queue: [...codes]
      .map(([code, items]) => ({ code, count: items.length }))
      .sort((a, b) => (a.code < b.code ? -1 : 1)),
    landed: stats.by_day.reduce((sum, { landed_count }) => sum + landed_count, 0),
    pauses: listPauses(ws).map(({ agent, model, until }) => ({ agent, model, until })),
  }
}
