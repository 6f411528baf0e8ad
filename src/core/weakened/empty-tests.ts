import type { DiffLine, FileDiff } from './diff-text.ts'
import { asserts, assertsLittle, declaresTest } from './test-code.ts'

/**
 * New tests that compare nothing: with nothing in them, with `expect(true).toBe(true)` alone, or in a new file in which
 * nothing is compared at all. Elsewhere a function of the project may compare, which a diff does not show.
 */
export function emptyTests({ path, change, hunks }: FileDiff): (DiffLine & { path: string })[] {
  const isSilent = change === 'added' && hunks.every(({ added }) => !added.some(({ text }) => compares(text)))
  return hunks.flatMap(({ added }) =>
    added.flatMap((line, at) => {
      const body = declaresTest(line.text) && !takesTable(line.text) ? bodyOf(added, at) : null
      const isEmpty = body !== null && (isSilent || body.every(({ text }) => isBlank(text) || isTrivial(text)))
      return isEmpty ? [{ ...line, path }] : []
    }),
  )
}

function compares(text: string): boolean {
  return asserts(text) && !isTrivial(text)
}

/** The rows come first, the test itself further below. */
function takesTable(text: string): boolean {
  return /\.(?:each|for)\b/.test(text)
}

function isBlank(text: string): boolean {
  return /^\s*(?:(?:\/\/|#|\*|\/\*).*|pass|\.\.\.|return;?|[{}();,]*)?\s*$/.test(text)
}
/** The lines up to the end of the test, by indentation; null: its end is not among the added lines. */
function bodyOf(added: readonly DiffLine[], at: number): DiffLine[] | null {
  const { text } = added[at] as DiffLine
  const indent = indentOf(text)
  if (/[)}]\s*;?\s*$/.test(text) && /\{.*\}|=>\s*[^{\s]/.test(text))
    return [{ ...(added[at] as DiffLine), text: inner(text) }]
  const rest = added.slice(at + 1)
  const end = rest.findIndex(
    (line) => line.text.trim() !== '' && indentOf(line.text) <= indent && !isOpening(line.text),
  )
  if (end === -1) return isIndented(text) ? rest : null
  return rest.slice(0, end)
}

/** What is between the braces, or after the arrow, of a test on one line. */
function inner(text: string): string {
  return /(?:=>|\))\s*\{(.*)\}\s*\)?\s*;?\s*$/.exec(text)?.[1] ?? /=>\s*(.*?)\)?\s*;?\s*$/.exec(text)?.[1] ?? text
}

/** `def` and `fn` below an attribute, and the brace on a line of its own, belong to the test that begins. */
function isOpening(text: string): boolean {
  return /^\s*(?:\{|(?:pub\s+)?(?:async\s+)?fn\s|(?:public|private|internal|void|fun|async)\b.*[({]\s*$|@|\[|#\[)/.test(
    text,
  )
}

/** In languages without braces a test ends where the file does. */
function isIndented(text: string): boolean {
  return /:\s*$|\bdo\b/.test(text)
}

/** `expect(true).toBe(true)` and the like. */
function isTrivial(text: string): boolean {
  return assertsLittle(text) && /\(\s*(?:true|1)\b|\bTrue\b|assert\s+(?:True|1)\b/.test(text)
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
