import { exportCsv } from '../core/export-csv.ts'
import { type ExportRow, exportChecklist } from '../core/export-text.ts'
import { taskLine } from '../core/task-line.ts'
import { taskTree } from '../core/task-tree.ts'
import { tasksInOrder } from '../state/sqlite/read-index.ts'
import { readLinkedLedger } from './link-commits.ts'
import { liveRows, viewRow } from './list-tasks.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

export type ExportFormat = 'jsonl' | 'json' | 'markdown' | 'csv'

/** The ledger as text. JSONL is the ledger's own shape, tombstones included: importing it elsewhere loses nothing. */
export function exportTasks(ws: Workspace, format: ExportFormat): string {
  const view = readLinkedLedger(ws)
  if (format === 'jsonl') return [...tasksInOrder(ws.state, view.row.lid)].map((task) => `${taskLine(task)}\n`).join('')
  const tasks = liveRows(view, { archived: true }).map((row) => viewRow(view, row))
  if (format === 'json') return `${JSON.stringify(tasks)}\n`
  if (format === 'csv') return exportCsv([...taskTree(tasks)].map(({ task }) => task))
  return exportChecklist(exportRows(tasks))
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
