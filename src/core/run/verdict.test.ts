import { describe, expect, test } from 'bun:test'
import { firstBlocker, judgeReview } from './verdict.ts'

const COMMIT = 'abcdef0123456789abcdef0123456789abcdef01'
const REVIEWER_VERDICTS = ['APPROVED', 'CHANGES_REQUESTED', 'NEEDS_DISCUSSION'] as const

/** Null: the reviewer is asked once more. */
function verdictOf(review: string, message = '', answer: string | null = null): string | null {
  return judgeReview({ commit: COMMIT, review, message, answer })?.verdict ?? null
}

describe('the verdict', () => {
  test('is read with any marks of bold text, lists and headings, and with a remark', () => {
    for (const verdict of REVIEWER_VERDICTS) {
      for (const line of [
        `**Verdict: ${verdict}**`,
        `Verdict: ${verdict}`,
        `**Verdict:** ${verdict}`,
        `**Verdict**: **${verdict}**.`,
        `__Verdict: ${verdict}__`,
        `## Verdict: ${verdict}`,
        `### **Verdict: ${verdict}** ✅`,
        `- Verdict: ${verdict}`,
        `3. *Verdict:* ${verdict}!`,
        `**Verdict: ${verdict}** - the tests are thorough`,
        `Verdict: ${verdict} with comments (see above)`,
      ])
        expect([line, verdictOf(`# Review\n\nFine.\n\n${line}\n`)]).toEqual([line, verdict])
    }
    expect(verdictOf('Verdict: CHANGES_REQUESTED, but only if 1. is a bug')).toBe('CHANGES_REQUESTED')
    expect(verdictOf('\uFEFFVerdict: APPROVED\r\n')).toBe('APPROVED')
    expect(verdictOf('Verdict: APPROVED\nThe tests pass if they are run alone.')).toBe('APPROVED')
  })

  test('is missing if an approval has a condition, if a remark has a second verdict, or in any other form', () => {
    const words = ['if', 'once', 'when', 'after', 'unless', 'provided', 'pending', 'except', 'but', 'on condition that']
    for (const line of [
      ...words.map((word) => `**Verdict: APPROVED** ${word} the tests pass`),
      ...words.map((word) => `Verdict: APPROVED,\n${word} the tests pass`),
      'Verdict: APPROVED\n(if the tests pass)',
      'Verdict: APPROVED, although the tests fail',
      'Verdict: APPROVED with minor changes',
      'Verdict: APPROVED? No.',
      'Verdict: APPROVED is not possible',
      'Verdict: APPROVED / CHANGES_REQUESTED / NEEDS_DISCUSSION',
      'Verdict: CHANGES_REQUESTED (was: approved)',
      'Verdict: APPROVED_LATER',
      'Verdict: APPROVED-ish',
      'Verdict: approved',
      'Verdict: NOT APPROVED',
      'My verdict: APPROVED',
      'Verdict: `APPROVED`',
      '## Verdict\n\nAPPROVED',
      'Looks good to me.',
      'Verdict: APPROVED\n\nVerdict: APPROVED once the tests pass',
    ])
      expect([line, verdictOf(line)]).toEqual([line, null])
  })

  test('asks for changes if two disagree, in one text or in two', () => {
    expect(verdictOf('**Verdict: APPROVED**\n**Verdict: NEEDS_DISCUSSION**')).toBe('CHANGES_REQUESTED')
    expect(verdictOf('Verdict: APPROVED', 'Sorry: it leaks.\nVerdict: CHANGES_REQUESTED')).toBe('CHANGES_REQUESTED')
    expect(verdictOf('Verdict: APPROVED', 'I have written the review.')).toBe('APPROVED')
    expect(verdictOf('Looks good.', 'Verdict: APPROVED')).toBeNull()
  })

  test('is what the reviewer answers when it is asked once more, and otherwise asks for changes', () => {
    expect(verdictOf('Verdict: APPROVED if green', '', 'Verdict: APPROVED')).toBe('APPROVED')
    expect(verdictOf('Looks good.', 'Verdict: NEEDS_DISCUSSION', 'Verdict: APPROVED')).toBe('CHANGES_REQUESTED')
    expect(judgeReview({ commit: COMMIT, review: 'Looks good.', message: '', answer: 'It is fine.' })).toEqual({
      verdict: 'CHANGES_REQUESTED',
      why: 'the reviewer gave no clear verdict, although it was asked twice',
    })
  })

  test('is not one that is quoted, shown as code, or part of a sentence', () => {
    const approval = '**Verdict: APPROVED**'
    for (const text of [
      `> ${approval}`,
      `\`\`\`\n${approval}\n\`\`\``,
      `    ${approval}`,
      `Never write ${approval} here`,
      `> he says\n${approval}`,
      `<!--\n${approval}\n-->`,
      `<pre>\n${approval}\n</pre>`,
      `<!--\n${approval}`,
      `~~~\n${approval}\n\`\`\`\n${approval}\n~~~`,
    ])
      expect([text, verdictOf(text)]).toEqual([text, null])
  })
})

test('a review that names another commit is not about this one', () => {
  const why = 'the review names another commit'
  const judged = (review: string) => judgeReview({ commit: COMMIT, review, message: '', answer: null })
  expect(judged('Commit: abcdef012345\n**Verdict: APPROVED**')?.verdict).toBe('APPROVED')
  expect(judged('**Commit:** `1234567`\n**Verdict: APPROVED**')).toEqual({ verdict: 'CHANGES_REQUESTED', why })
  expect(judged('> Commit: 1234567\n\nVerdict: APPROVED')?.verdict).toBe('APPROVED')
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
