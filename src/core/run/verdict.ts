import type { ReviewerVerdict } from '../task/task.ts'
import { shorten } from '../text/shorten.ts'

const VERDICT = /^\s*\*\*Verdict:\s*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)\s*\*\*\s*$/

/**
 * The verdict of a review. Quotes and code do not count: a reviewer may quote an approval without giving one. A missing
 * verdict, or verdicts that disagree, in one text or between several, ask for changes.
 */
export function readVerdict(...texts: readonly string[]): ReviewerVerdict {
  const found = new Set<string>()
  for (const line of texts.flatMap((text) => [...ownLines(text)])) {
    const match = VERDICT.exec(line)
    if (match?.[1]) found.add(match[1])
  }
  return found.size === 1 ? ([...found][0] as ReviewerVerdict) : 'CHANGES_REQUESTED'
}

/** Does the review name another commit than the one it was asked to judge? */
export function isAboutAnother(review: string, commit: string): boolean {
  const named = [...ownLines(review)].flatMap(
    (line) => /^\s*\**Commit:\**\s*`?([0-9a-f]{7,64})`?\s*$/i.exec(line)?.[1] ?? [],
  )
  return named.some((name) => !commit.startsWith(name.toLowerCase()))
}

/** The first blocker in one line: the first numbered point, otherwise the first point, otherwise the first sentence. */
export function firstBlocker(review: string): string | null {
  const lines = [...ownLines(review)].map((line) => line.trim()).filter((line) => line !== '' && !VERDICT.test(line))
  const found =
    lines.find((line) => /^\d+[.)]\s+\S/.test(line)) ??
    lines.find((line) => /^[-*]\s+\S/.test(line)) ??
    lines.find((line) => !/^(#|\**Commit:)/i.test(line))
  return found === undefined ? null : plainPoint(found)
}

const LONGEST_POINT = 120

function plainPoint(line: string): string {
  const plain = line
    .replace(/^(\d+[.)]|[-*])\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
  return shorten(plain, LONGEST_POINT)
}

/** The reviewer's own lines: no fenced or indented code, no quotes with their continuation lines, no HTML blocks. */
function* ownLines(review: string): Generator<string> {
  let fence: string | null = null
  let isQuote = false
  for (const line of withoutBlocks(review).split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null
      continue
    }
    isQuote = /^\s{0,3}>/.test(line) || (isQuote && line.trim() !== '')
    if (fence === null && !isQuote && !/^( {4}|\t)/.test(line)) yield line
  }
}

// Only at the beginning of a line, as in markdown; a block that is never closed hides everything after it.
const HTML_BLOCK = /^ {0,3}(?:<!--[\s\S]*?(?:-->|(?![\s\S]))|<(pre|blockquote)\b[\s\S]*?(?:<\/\1\s*>|(?![\s\S])))/gim

function withoutBlocks(review: string): string {
  return review.replace(HTML_BLOCK, '\n')
}
