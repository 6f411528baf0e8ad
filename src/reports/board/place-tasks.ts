/** In which column of the board each task is, and below which of its headings. */
import type { Column, Grouping } from '../../core/drawing/board-columns.ts'
import { compareMilestones } from '../../core/graph/ready-order.ts'
import { isOnHold } from '../../core/task/status-predicates.ts'
import { PRIORITIES } from '../../core/task/task.ts'
import type { BoardEntry } from '../../state/index/filtered-entries.ts'
import { tasksOfRows } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { derivedStatus, runningOn } from '../../workspace/views/task-status.ts'
import { type BoardFacts, lastAgent, type Placed, priorityOf } from './board-facts.ts'

/** A heading within a column, and how many tasks are below it. */
export interface Section {
  /** Null: the tasks without any. */
  name: string | null
  count: number
}

/** The rows are in the order in which they should be started, and stay so, except for finished ones: the newest first. */
export function placeTasks(
  view: LedgerView,
  rows: readonly BoardEntry[],
  { facts, by }: { facts: BoardFacts; by: Grouping | null },
): Placed[] {
  const sectionOf = sectionReader(view, rows, { facts, by })
  const placed = rows.map((row) => {
    const column = columnOf(view, row, facts)
    return { row, column, section: sectionOf(row, column) }
  })
  return placed.sort((a, b) => compareSections(a, b, by) || compareClosed(a, b))
}

function columnOf(view: LedgerView, row: BoardEntry, { runs, inbox, queue }: BoardFacts): Column {
  const status = derivedStatus(view, row)
  if (status === 'in_progress') return runs.get(row.uid)?.phase === 'review' ? 'in_review' : 'running'
  if (status === 'failed') return 'failed'
  if (status === 'completed' || status === 'skipped') {
    const queued = queue.get(row.uid)
    if (queued === undefined) return 'landed'
    return /^(READY|VERIFYING|BISECTING|LANDING|CHECKOUT)/.test(queued.code) ? 'to_land' : 'needs_you'
  }
  if (inbox.has(row.id) || row.asks === 1) return 'needs_you'
  return status === 'blocked' || isOnHold(row) ? 'blocked' : 'ready'
}

/** Without a grouping, only what is ready has headings: its priorities. */
function sectionReader(
  view: LedgerView,
  rows: readonly BoardEntry[],
  { facts, by }: { facts: BoardFacts; by: Grouping | null },
): (row: BoardEntry, column: Column) => string | null {
  if (by === null) return (row, column) => (column === 'ready' ? priorityOf(row) : null)
  if (by === 'milestone') return (row) => row.milestone_id || null
  if (by === 'group') return (row) => row.grp
  if (by === 'branch') return (row) => row.branch
  // Only the whole task has the agent that worked on it last.
  const tried = rows.filter((row) => row.has_runs === 1 && row.assigned_agent === null)
  const last = new Map(tasksOfRows(view.ws.state, tried).map((task) => [task.uid, lastAgent(task)]))
  return (row) =>
    facts.runs.get(row.uid)?.agent ?? row.assigned_agent ?? runningOn(view, row) ?? last.get(row.uid) ?? null
}

function compareSections(a: Placed, b: Placed, by: Grouping | null): number {
  return by === null ? 0 : compareMilestones(a.section, b.section)
}

function compareClosed({ row: a, column }: Placed, { row: b, column: other }: Placed): number {
  if (column !== other || (column !== 'landed' && column !== 'failed')) return 0
  const [first, second] = [a.closed_at ?? '', b.closed_at ?? '']
  return first === second ? 0 : first < second ? 1 : -1
}

/** The headings of a column, with those of all priorities where they are the headings. */
export function sectionsOf(placed: readonly Placed[], column: Column, by: Grouping | null): Section[] {
  const counts = new Map<string | null, number>()
  const isByPriority = by === null && column === 'ready' && placed.length > 0
  if (isByPriority) for (const priority of PRIORITIES) counts.set(priority, 0)
  else if (by === null) return []
  for (const { section } of placed) counts.set(section, (counts.get(section) ?? 0) + 1)
  return Array.from(counts, ([name, count]) => ({ name, count }))
}
