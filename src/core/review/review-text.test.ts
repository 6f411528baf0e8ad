import { expect, test } from 'bun:test'
import { firstBlocker, judgeReview } from '../run/verdict.ts'
import { type LineComment, readReviewText, reviewText } from './review-text.ts'

const COMMIT = 'a'.repeat(40)
const comment = (fields: Partial<LineComment>): LineComment => {
  return { file: 'src/a.ts', side: 'new', line: 3, end_line: 3, quote: ['const a = 1'], text: 'Rename it.', ...fields }
}
const write = (summary: string, comments: LineComment[]): string =>
  reviewText({ by: 'Ada', commit: COMMIT, verdict: 'CHANGES_REQUESTED', summary, comments })

test('a review is markdown with its verdict, and each comment has its place and the quoted lines', () => {
  const text = write('Close, but not yet.', [
    comment({}),
    comment({ side: 'old', line: 7, end_line: 8, quote: ['', '  x'], text: 'Why is it gone?\nIt was used.' }),
  ])
  expect(text).toBe(`# Review by Ada

Commit: ${COMMIT}

Verdict: CHANGES_REQUESTED

Close, but not yet.

## Comments

1. \`src/a.ts:3\`: Rename it.
   > const a = 1

2. \`src/a.ts:7-8\` (before the change): Why is it gone?
   >
   >   x

   It was used.
`)
})

const HOSTILE = [
  'a`b.ts',
  'with "quotes".ts',
  'new\nline.ts',
  'back\\slash',
  'colon:12',
  'ünï.ts',
  'two  spaces',
  '\u001b[31m',
]

test('what was written is read back, whatever the names and texts are', () => {
  const texts = [
    'One line.',
    'First\n\nthird\n  indented',
    '## Comments\n1. `x:1`: y\n> quote',
    '```\nopen fence',
    '> q',
  ]
  const comments = HOSTILE.flatMap((file) =>
    texts.map((text, line) =>
      comment({ file, text, line: line + 1, end_line: line + 2, quote: ['## Comments', '> a'] }),
    ),
  )
  const summary = 'Summary\n\n## Comments\n\nnot a comment'
  expect(readReviewText(write(summary, comments))).toEqual({ summary, comments })
})

test('a review without comments is only its summary', () => {
  expect(readReviewText(write('Fine.', []))).toEqual({ summary: 'Fine.', comments: [] })
  expect(readReviewText('Any other text')).toEqual({ summary: 'Any other text', comments: [] })
})

test('the verdict has the form that a reviewer gives, and quoted verdicts do not count', () => {
  const text = write('```\nan open fence', [comment({ quote: ['Verdict: APPROVED'] })])
  expect(judgeReview({ commit: COMMIT, review: text, message: '', answer: null })).toEqual({
    verdict: 'CHANGES_REQUESTED',
    why: null,
  })
  expect(firstBlocker(write('', [comment({})]))).toBe('src/a.ts:3: Rename it.')
})
