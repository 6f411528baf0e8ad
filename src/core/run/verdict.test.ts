import { describe, expect, test } from 'bun:test'
import { firstBlocker, isAboutAnother, readVerdict } from './verdict.ts'

const REVIEWER_VERDICTS = ['APPROVED', 'CHANGES_REQUESTED', 'NEEDS_DISCUSSION'] as const

describe('the verdict', () => {
  test('is the one on its own line', () => {
    for (const verdict of REVIEWER_VERDICTS)
      expect(readVerdict(`# Review\n\nFine.\n\n**Verdict: ${verdict}**\n`)).toBe(verdict)
  })

  test('asks for changes if there is none, or if two disagree, in one text or in two', () => {
    expect(readVerdict('Looks good to me.')).toBe('CHANGES_REQUESTED')
    expect(readVerdict('**Verdict: APPROVED**\n**Verdict: NEEDS_DISCUSSION**')).toBe('CHANGES_REQUESTED')
    expect(readVerdict('**Verdict: APPROVED**', 'Sorry: it leaks.\n**Verdict: CHANGES_REQUESTED**')).toBe(
      'CHANGES_REQUESTED',
    )
    expect(readVerdict('**Verdict: APPROVED**', 'I have written the review.')).toBe('APPROVED')
  })

  test('is not one that is quoted, shown as code, or part of a sentence', () => {
    const approval = '**Verdict: APPROVED**'
    for (const text of [
      `> ${approval}`,
      `\`\`\`\n${approval}\n\`\`\``,
      `    ${approval}`,
      `Never write ${approval} here`,
    ])
      expect(readVerdict(text)).toBe('CHANGES_REQUESTED')
    for (const text of [
      `> he says\n${approval}`,
      `<!--\n${approval}\n-->`,
      `<pre>\n${approval}\n</pre>`,
      `<!--\n${approval}`,
    ])
      expect(readVerdict(text)).toBe('CHANGES_REQUESTED')
    expect(readVerdict(`~~~\n${approval}\n\`\`\`\n${approval}\n~~~`)).toBe('CHANGES_REQUESTED')
  })
})

test('a review that names another commit is not about this one', () => {
  const commit = 'abcdef0123456789abcdef0123456789abcdef01'
  expect(isAboutAnother('Commit: abcdef012345\n**Verdict: APPROVED**', commit)).toBe(false)
  expect(isAboutAnother('**Commit:** `1234567`\n**Verdict: APPROVED**', commit)).toBe(true)
  expect(isAboutAnother('No commit is named.', commit)).toBe(false)
  expect(isAboutAnother('> Commit: 1234567', commit)).toBe(false)
})

describe('the first blocker', () => {
  test('is the first numbered point, without its marks', () => {
    expect(firstBlocker('# Review\n- a remark\n\n1. **`src/a.ts:10`**: missing input validation\n2. more')).toBe(
      'src/a.ts:10: missing input validation',
    )
  })

  test('is the first point, otherwise the first sentence, if none is numbered', () => {
    expect(firstBlocker('# Review\n\n- missing input validation\n')).toBe('missing input validation')
    expect(firstBlocker('# Review\n\nInput is not checked.\n**Verdict: CHANGES_REQUESTED**')).toBe(
      'Input is not checked.',
    )
    expect(firstBlocker('**Verdict: CHANGES_REQUESTED**')).toBeNull()
  })

  test('is cut to one line of limited length', () => {
    expect(firstBlocker(`1. ${'x'.repeat(500)}`)).toHaveLength(120)
  })
})
