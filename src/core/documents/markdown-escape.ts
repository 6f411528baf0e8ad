import { oneLine } from '../text/one-line.ts'
import { printable } from '../text/printable.ts'

/**
 * One line of markdown that GitHub shows as exactly this text, anywhere in a line except at its start. Only what has a
 * meaning is escaped, so ordinary text stays unchanged.
 */
export function escapeMarkdown(text: string): string {
  return escapeMarkup(separateReferences(printable(oneLine(text))))
}

// GitHub looks for mentions, issue numbers and emoji names in the finished HTML, where backslashes no longer exist.
// Only a character between the sign and the name prevents that a person is notified. Times (12:30:45) and paths
// (std::io::Read) are not emoji.
const ZERO_WIDTH_SPACE = '\u200b'
const REFERENCE = /@(?=[a-z\d])|#(?=\d)|\bGH-(?=\d)|(?<!:):(?=[\w+-]{1,60}:(?!:))(?!\d{1,2}:)/gi

function separateReferences(line: string): string {
  return line.replace(REFERENCE, (sign) => sign + ZERO_WIDTH_SPACE)
}

const MARKUP = /\\|`|\*+|_+|~+|\$|\[|<|&|:(?=\/\/)|(?<=\bwww)\./gi

function escapeMarkup(line: string): string {
  const paired = pairedSigns(line)
  const lastBracket = line.lastIndexOf(']')
  return line.replace(MARKUP, (sign, at: number) => {
    const before = line.charAt(at - 1)
    const after = line.slice(at + sign.length, at + sign.length + LONGEST_ENTITY)
    const isMarkup = sign === '[' ? at < lastBracket : meansSomething({ sign, before, after, paired })
    if (!isMarkup) return sign
    // GitHub still reads \$ as the start of a formula, unless a character other than a blank precedes it.
    if (sign === '$') return `${ZERO_WIDTH_SPACE}\\$`
    return sign.replace(/./g, '\\$&')
  })
}

const LONGEST_ENTITY = 40
const ENTITY = /^(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/i
const ASCII_PUNCTUATION = /^[!-/:-@[-`{-~]/
const LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u

interface Sign {
  sign: string
  before: string
  after: string
  paired: ReadonlySet<string>
}

function meansSomething({ sign, before, after, paired }: Sign): boolean {
  const kind = sign.charAt(0)
  switch (kind) {
    case '\\':
      return after === '' || ASCII_PUNCTUATION.test(after)
    case '<':
      return /^[a-z/!?]/i.test(after)
    case '&':
      return ENTITY.test(after)
    case '*':
      return paired.has(kind) && !isIsolated(before, after)
    case '_':
      return paired.has(kind) && !isIsolated(before, after) && !isInsideWord(before, after)
    case '`':
    case '~':
    case '$':
      return paired.has(kind)
    default:
      return true
  }
}

/** The signs that occur more than once: a single one opens nothing. */
function pairedSigns(line: string): Set<string> {
  return new Set(['`', '*', '_', '~', '$'].filter((sign) => line.indexOf(sign) !== line.lastIndexOf(sign)))
}

function isIsolated(before: string, after: string): boolean {
  return isBlank(before) && isBlank(after)
}

function isBlank(neighbour: string): boolean {
  return neighbour === '' || /^\s/.test(neighbour)
}

// `before` may be half of a surrogate pair: then the underscore counts as outside a word, and is escaped without need.
function isInsideWord(before: string, after: string): boolean {
  return LETTER_OR_DIGIT.test(before) && LETTER_OR_DIGIT.test(after)
}
