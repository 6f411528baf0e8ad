import type { TextTerm } from '../../core/filter/filter.ts'
import { separateLetters } from '../../core/filter/separate-letters.ts'

/**
 * The terms in the language of FTS5. Every word is in quotes, so nothing that a person types is an operator there. Null
 * if nothing is to be found: FTS5 can only leave out from what it finds.
 */
export function matchExpression(terms: readonly TextTerm[]): string | null {
  const wanted = terms.filter(({ isNot }) => !isNot).map(phraseOf)
  if (wanted.length === 0) return null
  const unwanted = unwantedExpression(terms)
  return unwanted === null ? wanted.join(' AND ') : `(${wanted.join(' AND ')}) NOT (${unwanted})`
}

/** What has any of the terms that must not be there. */
export function unwantedExpression(terms: readonly TextTerm[]): string | null {
  const unwanted = terms.filter(({ isNot }) => isNot).map(phraseOf)
  return unwanted.length === 0 ? null : unwanted.join(' OR ')
}

function phraseOf({ field, words, isPrefix }: TextTerm): string {
  const quoted = `"${separateLetters(words).replaceAll('"', '""').replaceAll('\0', ' ')}"`
  return `${field === null ? '' : `${field} : `}${quoted}${isPrefix ? ' *' : ''}`
}
