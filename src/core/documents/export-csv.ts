// New columns are added at the end: sheets and scripts rely on the existing ones.
const COLUMNS = [
  ...(['id', 'number', 'title', 'content', 'status', 'type', 'priority', 'group', 'created_at', 'created_by'] as const),
  ...(['closed_at', 'closed_commit', 'after', 'parent', 'key', 'depends_on', 'based_on', 'milestone_id'] as const),
  ...(['acceptance_criteria', 'files_to_create', 'files_to_modify', 'test_files', 'user_story'] as const),
  ...(['estimated_complexity', 'plan_file', 'project', 'branch', 'assigned_agent', 'linear_issue_id'] as const),
  ...(['create_review', 'same_branch', 'auto_review', 'max_review_cycles', 'review_cycle', 'final_verdict'] as const),
  ...(['max_attempts', 'attempts', 'on_hold', 'archived', 'commits', 'notes', 'uid'] as const),
]

type Cell = string | number | boolean | null | readonly string[]
export type CsvTask = Readonly<Record<(typeof COLUMNS)[number], Cell>>

/** The tasks as a table: RFC 4180, one row for each task. A cell with several values has one on each line. */
export function exportCsv(tasks: readonly CsvTask[]): string {
  const table = tasks.map((task) => COLUMNS.map((column) => cellText(task[column])))
  return [COLUMNS, ...table].map((cells) => `${cells.map(quoteCell).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  return typeof cell === 'object' && cell !== null ? cell.join('\n') : String(cell ?? '')
}

// A spreadsheet runs a cell that starts with one of these as a formula, quoted or not.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function quoteCell(text: string): string {
  const cell = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
