/** Tasks as rows of an answer. What is not set is left out: an agent pays for every word. */
import { UserError } from '../core/user-error.ts'
import type { TaskName } from '../workspace/views/views.ts'
import type { Paging } from './tools/tool.ts'

/** The fields of a task that a row can show. */
interface Listed extends TaskName {
  key?: string | null
  type?: string
  blocked_by?: readonly TaskName[]
  assigned_agent?: string | null
  running_on?: string | null
  on_hold?: boolean
  asks?: boolean
}

export function taskRow(task: Listed): Record<string, unknown> {
  const { number, id, title, status, key, type, blocked_by = [], assigned_agent, running_on, on_hold, asks } = task
  return withoutEmpty({
    ...{ number, id, title, status, key },
    type: type === 'task' ? null : type,
    blocked_by: blocked_by.map((other) => other.number),
    ...{ assigned_agent, running_on, on_hold, asks },
  })
}

/** Without what is null, false, zero, or an empty list or text. */
export function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)))
}

const ROWS = 20

/** Where a page begins, and how many rows it has. */
export function pageOf({ limit = ROWS, cursor }: Paging): { from: number; limit: number } {
  return { from: readCursor(cursor), limit }
}

export function readCursor(cursor = '0'): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new UserError('BAD_CURSOR', `'${cursor.slice(0, 50)}' is not a cursor of gza`, {
    hint: 'Repeat the call without it, or with the cursor of an earlier answer.',
  })
}
