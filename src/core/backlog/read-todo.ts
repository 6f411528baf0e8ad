/** The numbered items of a backlog file, and the one letter that ticks an item. */

import { TASK_TYPES, type TaskType } from '../task/task.ts'
import { type ChecklistItem, readChecklist } from './checklist.ts'

export interface TodoItem {
  /** From 1, from the top of the file, including ticked items and parts: ticking one renumbers none. */
  number: number
  line: number
  text: string
  done: boolean
  depth: number
  heading: string | null
  /** The whole item: its text, the notes below it, and its parts. */
  content: string
}

export function readTodo(text: string): TodoItem[] {
  const items: TodoItem[] = []
  const stack = readChecklist(text)
    .items.toReversed()
    .map((item) => ({ item, depth: 0 }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { item, depth } = next
    const { line, text: title, done, group = null } = item
    items.push({ number: items.length + 1, line, text: title, done, depth, heading: group, content: contentOf(item) })
    for (const part of item.children.toReversed()) stack.push({ item: part, depth: depth + 1 })
  }
  return items
}

/**
 * Lines that were meant as items but are not, because of a typing mistake. Other signs in a box may be somebody's
 * convention.
 */
export function mistypedItems(text: string): { line: number; why: string }[] {
  return readChecklist(text).skipped.filter(({ why }) => /^no space|^a checkbox without a bullet|never ends$/.test(why))
}

function contentOf({ text, notes, children }: ChecklistItem): string {
  const parts = children.map((part) => `- ${part.text}`).join('\n')
  return [text, notes ?? '', parts].filter((piece) => piece !== '').join('\n\n')
}

/** The offset and the sign of the box in this line; null if the line has no box. */
export function boxIn(text: string, line: number): { at: number; sign: string } | null {
  let start = 0
  for (let count = 1; count < line; count++) {
    const end = /\r\n|\n|\r/.exec(text.slice(start))
    if (end === null) return null
    start += end.index + end[0].length
  }
  const found = /^\uFEFF?\s*(?:[-*+]|\d{1,9}[.)])\s+\[(?<sign>[^[\]])\]/.exec(
    text.slice(start).split(/[\r\n]/, 1)[0] ?? '',
  )
  const sign = found?.groups?.sign
  if (!found || sign === undefined) return null
  return { at: start + found[0].length - sign.length - 1, sign }
}

export interface FlowStep {
  type: TaskType
  title: string
}

/** `plan: Write the plan`, or only a title. */
export function readFlowStep(step: string): FlowStep {
  const { type = '', title = '' } = /^\s*(?<type>\w+)\s*:\s*(?<title>\S[\s\S]*)$/.exec(step)?.groups ?? {}
  const known = TASK_TYPES.find((name) => name === type)
  return known === undefined ? { type: 'task', title: step.trim() } : { type: known, title: title.trim() }
}
