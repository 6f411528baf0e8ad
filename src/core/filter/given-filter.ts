import { type Filter, readFilter } from './filter.ts'
import { type FilterTerm, splitFilterLine } from './filter-line.ts'

/** A filter as the flags of a command, or the arguments of a tool, give it. */
export interface GivenFilter {
  status?: string | undefined
  type?: string | undefined
  group?: string | undefined
  agent?: string | undefined
  priority?: string | undefined
  milestone?: string | undefined
  since?: string | undefined
  file?: string | undefined
  /** A line of the filter language: words, and any of the fields above. */
  text?: string | undefined
  /** Terms that must not match. */
  not?: readonly string[] | undefined
  /** A saved filter, as a line. */
  view?: string | undefined
}

/** All of it together; null if nothing is given. */
export function filterOf({ text, not, view, ...fields }: GivenFilter): Filter | null {
  const terms: FilterTerm[] = []
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) terms.push({ field, value, isNot: false, isQuoted: true })
  for (const line of [view, text]) if (line !== undefined) terms.push(...splitFilterLine(line))
  for (const term of not ?? []) terms.push(...negatedTerms(term))
  return terms.length === 0 ? null : readFilter(terms)
}

/** What must not match: each of several words. */
export function negatedTerms(line: string): FilterTerm[] {
  return splitFilterLine(line).map((term) => ({ ...term, isNot: true }))
}
