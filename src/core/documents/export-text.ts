import { closesComment, closesFence, escapeBox, fenceMark, readChecklistLine } from '../backlog/checklist-line.ts'
import { boxOf } from '../task/status-predicates.ts'
import type { DerivedStatus } from '../task/task.ts'
import { dedent } from '../text/dedent.ts'
import { oneLine } from '../text/one-line.ts'

export interface ExportRow {
  id: string
  title: string
  content: string
  status: DerivedStatus
  group: string | null
  children: ExportRow[]
}

/** The tasks as a markdown checklist that readChecklist can read: groups as headings, the content below its item. */
export function exportChecklist(rows: readonly ExportRow[]): string {
  const groups = Map.groupBy(rows, (row) => oneLine(row.group ?? ''))
  const sections = [...groups.keys()]
    .filter((group) => group !== '')
    .map((group) => headed(group, groups.get(group) ?? []))
  // Tasks without a group come first: below a heading they would be in its group.
  const ungrouped = groups.get('')
  return [...(ungrouped ? [checklistOf(ungrouped)] : []), ...sections].join('\n')
}

function headed(group: string, rows: readonly ExportRow[]): string {
  // A closing ## keeps a group like `C #` whole, because readers drop the last run of number signs.
  return `## ${group}${group.endsWith('#') ? ' ##' : ''}\n\n${checklistOf(rows)}`
}

function checklistOf(rows: readonly ExportRow[]): string {
  return walk(rows)
    .flatMap(({ row, depth }) => itemLines(row).map((line) => (line === '' ? '' : '  '.repeat(depth) + line)))
    .map((line) => `${line}\n`)
    .join('')
}

function itemLines(row: ExportRow): string[] {
  const { text, notes } = splitContent(row)
  const item = `- ${boxOf(row)} ${text}`
  if (notes === '') return [item]
  return [item, '', ...keepInside(notes.split('\n')).map((line) => (line === '' ? '' : `  ${line}`))]
}

/** The item's own line, and the text below it: the rest of the content, or all of it if the task has a title. */
function splitContent({ id, title, content }: ExportRow): { text: string; notes: string } {
  const lines = content.split(/\r\n|\n|\r/)
  const first = lines.findIndex((line) => line.trim() !== '')
  const firstLine = lines[first]?.trim() ?? ''
  const ownTitle = oneLine(title)
  if (ownTitle !== '' && ownTitle !== oneLine(firstLine)) return { text: ownTitle, notes: dedent(lines) }
  return { text: firstLine || id, notes: dedent(lines.slice(first + 1)) }
}

/** No line of a content may become a task or swallow the tasks after it. */
function keepInside(lines: readonly string[]): string[] {
  let open: string | null = null
  const kept = lines.map((line) => {
    const wasCode = open !== null && open !== COMMENT_END
    open = openBlock(line.trim(), open)
    return wasCode ? line : escapeBox(line)
  })
  return open === null ? kept : [...kept, open]
}

const COMMENT_END = '-->'

/** What would close the code block or comment that is open after this line. */
function openBlock(body: string, open: string | null): string | null {
  if (open === COMMENT_END) return closesComment(body) ? null : open
  if (open !== null) return closesFence(body, open) ? null : open
  const line = readChecklistLine(body)
  if (line.kind === 'fence') return line.mark
  if (line.kind === 'bullet') return fenceMark(line.text) ?? null
  return line.kind === 'comment' && !line.isClosed ? COMMENT_END : null
}

interface Visit {
  row: ExportRow
  depth: number
}

/** Every row, parents before their children. No recursion, because tasks may nest to any depth. */
function walk(rows: readonly ExportRow[]): Visit[] {
  const visits: Visit[] = []
  const waiting: Visit[] = rows.map((row) => ({ row, depth: 0 })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    visits.push(next)
    const { row, depth } = next
    for (const child of row.children.toReversed()) waiting.push({ row: child, depth: depth + 1 })
  }
  return visits
}
