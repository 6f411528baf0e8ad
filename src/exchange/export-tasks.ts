import { exportCsv } from '../core/documents/export-csv.ts'
import { type ExportRow, exportChecklist } from '../core/documents/export-text.ts'
import { taskLine } from '../core/ledger/task-line.ts'
import { taskTree } from '../core/task/task-tree.ts'
import { tasksInOrder } from '../state/index/read-tasks.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import { viewRows } from '../workspace/views/task-view.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type ExportFormat = 'jsonl' | 'markdown' | 'csv'

/** The ledger as text. JSONL is the ledger's own format, including tombstones: importing it elsewhere loses nothing. */
export function exportTasks(ws: Workspace, format: ExportFormat): string {
  const view = readLinkedLedger(ws)
  if (format === 'jsonl') return [...tasksInOrder(ws.state, view.row.lid)].map((task) => `${taskLine(task)}\n`).join('')
  const tasks = viewAll(view)
  if (format === 'csv') return exportCsv([...taskTree(tasks)].map(({ task }) => task))
  return exportChecklist(exportRows(tasks))
}

/** The tasks as `list --json` prints them. */
export function exportViews(ws: Workspace): TaskView[] {
  return viewAll(readLinkedLedger(ws))
}

function viewAll(view: LedgerView): TaskView[] {
  return [...viewRows(view, liveRows(view, { archived: true }))]
}

function exportRows(tasks: readonly TaskView[]): ExportRow[] {
  const roots: ExportRow[] = []
  const path: ExportRow[] = []
  for (const { task, depth } of taskTree(tasks)) {
    const row: ExportRow = { ...task, children: [] }
    const siblings = path[depth - 1]?.children ?? roots
    siblings.push(row)
    path[depth] = row
  }
  return roots
}
