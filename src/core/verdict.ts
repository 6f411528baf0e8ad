import type { SpokenVerdict } from './task.ts'

/**
 * The verdict of a review. Quotes and code do not count: a reviewer may cite an approval without giving one. No verdict,
 * or verdicts that disagree, ask for changes.
 */
export function readVerdict(review: string): SpokenVerdict {
  const spoken = new Set<string>()
  for (const line of ownLines(review)) {
    const match = /^\s*\*\*Verdict:\s*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)\s*\*\*\s*$/.exec(line)
    if (match?.[1]) spoken.add(match[1])
  }
  return spoken.size === 1 ? ([...spoken][0] as SpokenVerdict) : 'CHANGES_REQUESTED'
}

/** The reviewer's own lines: no fenced or indented code, no quotes. */
function* ownLines(review: string): Generator<string> {
  let fence: string | null = null
  for (const line of review.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null
      continue
    }
    if (fence === null && !/^\s{0,3}>/.test(line) && !/^( {4}|\t)/.test(line)) yield line
  }
}
