import { readLabel } from './label.ts'
import type { PlanLine } from './plan-lines.ts'

/**
 * Turns the rows of task tables into list items, with their other cells as fields below. The first column of such a
 * table is "Task" or "ID", and it has a column for titles. A table below the heading of a task belongs to that task and
 * stays a table.
 */
export function raiseTableRows(lines: readonly PlanLine[]): PlanLine[] {
  let table: Columns | null | undefined
  let taskLevel = 0
  return lines.flatMap((line) => {
    if (line.kind === 'heading') taskLevel = levelOfTask(line, taskLevel)
    if (line.kind !== 'table') {
      table = undefined
      return [line]
    }
    const cells = cellsOf(line.text)
    if (table === undefined) {
      table = columnsOf(cells)
      return [line]
    }
    return table === null || taskLevel > 0 ? [line] : itemsOf(line, table, cells)
  })
}

/** The meaning of a table's columns. */
interface Columns {
  head: string[]
  /** -1 if no column has names. */
  name: number
  title: number
  done: number
  /** A number in the first column names a task. In a table of risks it does not. */
  isNumbered: boolean
  /** A row without a name is also a task. */
  isTitled: boolean
}

const NAME_HEAD =
  /^(?:task|id|#|no\.?|nr\.?|№|key|step|(?:task|step|ticket|issue|story) ?(?:id|#|no\.?|number|key)|ticket|issue|wbs)$/i
const WORK_HEAD =
  /^(?:tasks?|task (?:name|title|description)|title|step|what|work|work item|deliverable|story|item|action)$/i
const TITLE_HEAD = /^(?:description|name|summary|details)$/i
const DONE_HEAD = /^(?:done|completed|complete|status|state)\??$/i
const WAIT_HEAD = /^(?:dep(?:s|ends|ends on|endency|endencies|\.)?|after|blocked by|prerequisites?|requires|needs)$/i

function columnsOf(head: string[]): Columns | null {
  const first = head[0] ?? ''
  const done = head.findIndex((name) => DONE_HEAD.test(name))
  const behind = (pattern: RegExp) => head.findIndex((name, at) => at > 0 && pattern.test(name))
  const work = behind(WORK_HEAD)
  const waits = behind(WAIT_HEAD)
  if (NAME_HEAD.test(first)) {
    const described = work === -1 ? behind(TITLE_HEAD) : work
    const isWork = work !== -1 || waits !== -1 || /^(?:task|step)/i.test(first)
    // Without a column for titles, "Task" holds them.
    if (described === -1 && /^(?:task|step)$/i.test(first))
      return { head, name: -1, title: 0, done, isNumbered: false, isTitled: head.length > 1 && waits !== -1 }
    return { head, name: 0, title: described === -1 ? 1 : described, done, isNumbered: isWork, isTitled: work !== -1 }
  }
  const isTasks = WORK_HEAD.test(first) && waits !== -1
  return isTasks ? { head, name: -1, title: 0, done, isNumbered: false, isTitled: true } : null
}

function levelOfTask(line: PlanLine, taskLevel: number): number {
  if (taskLevel > 0 && line.level > taskLevel) return taskLevel
  const { kind } = readLabel(line.text, 'heading')
  return kind === 'keyed' || kind === 'numbered' ? line.level : 0
}

function itemsOf(line: PlanLine, columns: Columns, cells: readonly string[]): PlanLine[] {
  const { head, name, title, done } = columns
  const text = titleOfRow(columns, cells)
  if (text === null) return [line]
  const isDone = /^(?:✅|☑|✔|x$|\[x\]|yes$|done$|completed?$)/iu.test(cells[done] ?? '')
  const fields = head.flatMap((label, at): PlanLine[] => {
    const value = cells[at] ?? ''
    if (at === name || at === title || at === done || /^[-–—]?$/.test(value)) return []
    const [only = '', ...others] = value.split(/\s*<br\s*\/?>\s*/i).filter((part) => part !== '')
    if (others.length === 0) return [itemBelow(line, `${label}: ${only}`, 2)]
    const values = [only, ...others].map((part) => itemBelow(line, part.replace(/^[-*•]\s+/, ''), 4))
    return [itemBelow(line, `${label}:`, 2), ...values]
  })
  return [{ ...line, kind: 'item', text, box: isDone ? 'checked' : 'open', indent: 0 }, ...fields]
}

function titleOfRow({ name, title, isNumbered, isTitled }: Columns, cells: readonly string[]): string | null {
  const titled = cells[title] ?? ''
  if (titled === '' || cells.every((cell) => /^:?-*:?$/.test(cell))) return null
  const named = name === -1 ? '' : (cells[name] ?? '')
  const label = readLabel(`${named === '' ? titled : named}: title`, 'item')
  if (named !== '' && label.kind === 'keyed') return `${label.key}: ${titled}`
  if (name === -1 && readLabel(titled, 'item').kind === 'keyed') return titled
  const number = /^#?(\d{1,6}(?:\.\d{1,6})*)\.?$/.exec(named)?.[1]
  if (number !== undefined) return isNumbered ? `Task ${number}: ${titled}` : null
  return isTitled ? titled : null
}

function itemBelow(line: PlanLine, text: string, indent: number): PlanLine {
  return { ...line, kind: 'item', raw: `${' '.repeat(indent)}- ${text}`, text, indent }
}

/** The cells of a row, without the bars between them. */
export function cellsOf(text: string): string[] {
  return text
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replaceAll('\\|', '|')
        .replace(/^\*\*(.*)\*\*$/, '$1'),
    )
}
