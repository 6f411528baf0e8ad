/**
 * The language of filters: `status:ready agent:claude -priority:low parser "exact phrase" pars*`. Every term must match.
 * A minus before a term means that it must not.
 */

export interface FilterTerm {
  /** As typed, in lower case; null for a term without one. */
  field: string | null
  value: string
  isNot: boolean
  /** A value in quotes is one value, whatever is in it. */
  isQuoted: boolean
}

/** Every line is valid: a quote that is not closed ends with the line. */
export function splitFilterLine(line: string): FilterTerm[] {
  const terms: FilterTerm[] = []
  for (const [, minus, name, quoted, star, plain] of line.matchAll(TERM)) {
    const field = name?.toLowerCase() ?? null
    const value = quoted === undefined ? (plain ?? '') : `${quoted}${star ?? ''}`
    terms.push({ field, value, isNot: minus === '-', isQuoted: quoted !== undefined })
  }
  return terms
}

const TERM = /(-?)(?:([A-Za-z_]+):(?=[^\s]))?(?:"([^"]*)(?:"(\*?)|$)|([^\s"]+))/g
