/**
 * Edits of fields that came after the first release of format 1. That release takes a line for damaged if `edits` names
 * such a field, but it keeps fields it does not know and unites them by their names. So each of these edits is a field
 * of its own in the line, with a name that no other edit has. The value itself is not written: it follows from the
 * edits, and the first release would join two values by their spelling.
 */

import type { Edit, EditableField } from '../task/task.ts'
import { canonical } from './canonical.ts'
import { compareEdits, winningEdit } from './join-tasks.ts'
import { LATER_EDIT } from './later-edit-names.ts'

/** A field that is added to Editable from now on belongs here. It is only ever set by an edit, never at creation. */
export const EDITED_LATER = ['moved_to'] as const satisfies readonly EditableField[]

export function isLaterField(field: string): boolean {
  return (EDITED_LATER as readonly string[]).includes(field)
}

/** `edit:moved_to:2:a3f8…`: field, counter and a hash of the whole edit. */
export function laterEditName(edit: Edit): string {
  const hash = new Bun.CryptoHasher('sha256').update(canonical(edit)).digest('hex').slice(0, 16)
  return `${LATER_EDIT}${edit.field}:${edit.n}:${hash}`
}

/** The fields of a line with these edits among the others, and with the values that follow from them. */
export function withLaterEdits(fields: Record<string, unknown>): Record<string, unknown> {
  const later = Object.entries(fields).filter(([name, value]) => isLaterEdit(name, value))
  if (later.length === 0) return fields
  const names = new Set(later.map(([name]) => name))
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
  const edits = later.map(([, edit]) => edit as Edit)
  for (const field of EDITED_LATER) {
    const value = winningEdit(edits, field)?.value
    if (value !== undefined && value !== null) rest[field] = value
  }
  const others = Array.isArray(rest.edits) ? (rest.edits as Edit[]) : []
  return { ...rest, edits: [...others, ...edits].sort(compareEdits) }
}

/** A field of that form which says something else belongs to another program, and stays what it is. */
function isLaterEdit(name: string, value: unknown): boolean {
  if (!name.startsWith(LATER_EDIT) || value === null || typeof value !== 'object') return false
  const { field, n, at, by } = value as Record<string, unknown>
  const isEdit = typeof field === 'string' && typeof n === 'number' && typeof at === 'string' && typeof by === 'string'
  return isEdit && isLaterField(field) && laterEditName(value as Edit) === name
}
