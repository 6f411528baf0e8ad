import type { GlobalFlags } from '../call-context.ts'
import type { RowKind } from './field-names.ts'
import { count, text, toggle } from './flags.ts'

/** What a command has whose output may be long. */
export interface OutputFlags extends GlobalFlags {
  limit?: number
  fields?: string
  'no-pager': boolean
}

export type PagedFlags = Omit<OutputFlags, 'fields'>

/** A command with these flags shows through a pager what does not fit on the terminal. */
export function outputFlags(kind: RowKind, limit = 'Print at most N tasks') {
  const { limit: most, ...paged } = pagedFlags(limit)
  return { limit: most, fields: fieldsFlag(kind), ...paged }
}

/** The same for rows without fields to choose. */
export function pagedFlags(limit: string) {
  return {
    limit: count('N', limit),
    'no-pager': toggle('Print everything at once, even if it does not fit on the screen'),
  }
}

function fieldsFlag(kind: RowKind) {
  const proposeCompletions = (partial: string): Promise<readonly string[]> =>
    import('./field-names.ts').then(({ proposeFields }) => proposeFields(kind, partial))
  return { ...text('NAMES', 'Print only these fields, such as id,title'), proposeCompletions }
}
