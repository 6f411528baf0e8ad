import { readLabel } from './label.ts'
import type { PlanLine } from './plan-lines.ts'

/**
 * The lines with the rows of task tables as list items, their other cells as fields below. Such a table is headed "Task"
 * or "ID" and has keys in its first column. What stands below the heading of a task is that task's, and stays a table.
 */
export function raiseTableRows(lines: readonly PlanLine[]): PlanLine[] {
  let head: string[] | null = null
  let taskLevel = 0
  return lines.flatMap((line) => {
    if (line.kind === 'heading') taskLevel = levelOfTask(line, taskLevel)
    if (line.kind !== 'table') {
      head = null
      return [line]
    }
    const cells = cellsOf(line.text)
    if (head === null) {
      head = cells
      return [line]
    }
    return taskLevel > 0 || !KEY_HEAD.test(head[0] ?? '') ? [line] : itemsOf(line, head, cells)
  })
}

const KEY_HEAD = /^(?:task|id|#|key|task id|task #|ticket)$/i
const TITLE_HEAD = /^(?:task|description|title|name|summary|what)$/i
const DONE_HEAD = /^(?:done|completed|complete|status|state)\??$/i

function levelOfTask(line: PlanLine, taskLevel: number): number {
  if (taskLevel > 0 && line.level > taskLevel) return taskLevel
  const { kind } = readLabel(line.text, 'heading')
  return kind === 'keyed' || kind === 'numbered' ? line.level : 0
}

function itemsOf(line: PlanLine, head: readonly string[], cells: readonly string[]): PlanLine[] {
  const label = readLabel(`${cells[0] ?? ''}: title`, 'item')
  const described = head.findIndex((name, at) => at > 0 && TITLE_HEAD.test(name))
  const titleAt = described === -1 ? 1 : described
  if (label.kind !== 'keyed' || !cells[titleAt]) return [line]
  const doneAt = head.findIndex((name) => DONE_HEAD.test(name))
  const isDone = /^(?:✅|☑|✔|x$|\[x\]|yes$|done$|completed?$)/iu.test(cells[doneAt] ?? '')
  const fields = head.flatMap((name, at): PlanLine[] => {
    const value = cells[at] ?? ''
    if (at === 0 || at === titleAt || at === doneAt || /^[-–—]?$/.test(value)) return []
    const text = `${name}: ${value}`
    return [{ ...line, kind: 'item', raw: `  - ${text}`, text, indent: 2 }]
  })
  const item = { kind: 'item', text: `${label.key}: ${cells[titleAt]}`, box: isDone ? 'checked' : 'open' } as const
  return [{ ...line, ...item, indent: 0 }, ...fields]
}

function cellsOf(text: string): string[] {
  return text
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim().replace(/^\*\*(.*)\*\*$/, '$1'))
}
