import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { BUILT_IN } from '../config/built-in.ts'
import type { Phase, Task, Verdict } from '../task/task.ts'
import { approvalOf } from './approval-of.ts'

const TIP = 'a'.repeat(40)
const OLD = 'b'.repeat(40)
const AT = '2026-01-02T10:00:00Z'

function approval(task: Partial<Task>, reviews: Task[] = [], auto_review = false, isVouched = true): string {
  const config = { ...BUILT_IN, defaults: { ...BUILT_IN.defaults, auto_review } }
  const tasks = [aTask({ status: 'completed', closed_at: AT, ...task })]
  return approvalOf({
    tasks,
    tip: TIP,
    config,
    reviews,
    isVouchedRun: () => isVouched,
    isVouchedPhase: () => isVouched,
  })
}

function aReview(verdict: string, head: string, ended_at = AT): Task {
  const run = { run: ended_at, attempt: 1, machine: 'm', started_at: AT, ended_at, outcome: 'completed', verdict, head }
  return aTask({ type: 'review', status: 'completed', runs: [run] })
}

function aPhase(verdict: 'APPROVED' | 'CHANGES_REQUESTED', head: string, at = AT): Phase {
  return { run: 'r', generation: 0, phase: 'review', cycle: 1, at, head, verdict }
}

test('no approval is missing if no review was requested', () => {
  expect(approval({})).toBe('not-asked')
  expect([approval({ create_review: true }), approval({ auto_review: true })]).toEqual(['missing', 'missing'])
  expect([approval({}, [], true), approval({ auto_review: false }, [], true)]).toEqual(['missing', 'not-asked'])
})

test('an approval counts only for the commit that was judged', () => {
  expect(approval({}, [aReview('APPROVED', TIP)])).toBe('approved')
  expect(approval({}, [aReview('APPROVED', OLD)])).toBe('missing')
  expect(approval({ phases: [aPhase('APPROVED', TIP)] })).toBe('approved')
  expect(approval({ phases: [aPhase('APPROVED', OLD)] })).toBe('missing')
})

test('of several reviews of that commit, the last one counts', () => {
  const later = '2026-01-02T11:00:00Z'
  expect(approval({}, [aReview('APPROVED', TIP, later), aReview('CHANGES_REQUESTED', TIP)])).toBe('approved')
  expect(approval({ phases: [aPhase('CHANGES_REQUESTED', TIP, later)] }, [aReview('APPROVED', TIP)])).toBe('missing')
})

test('of two reviews in the same second, an approval does not count next to another verdict', () => {
  expect(approval({ phases: [aPhase('APPROVED', TIP)] }, [aReview('CHANGES_REQUESTED', TIP)])).toBe('missing')
  expect(approval({ phases: [aPhase('CHANGES_REQUESTED', TIP)] }, [aReview('APPROVED', TIP)])).toBe('missing')
})

test('an approval that no worker has received does not count, a refusal does', () => {
  expect(approval({}, [aReview('APPROVED', TIP)], false, false)).toBe('missing')
  expect(approval({ phases: [aPhase('APPROVED', TIP)] }, [], false, false)).toBe('missing')
})

test('a person approves what was completed at that time, and nothing later', () => {
  const edited = (at: string, head = TIP, value: Verdict = 'APPROVED'): Partial<Task> => {
    const edit = { field: 'final_verdict', n: 1, at, by: 'ada', value, head } as const
    return { create_review: true, final_verdict: value, edits: [edit] }
  }
  expect(approval(edited(AT))).toBe('approved')
  expect(approval(edited('2026-01-02T09:00:00Z'))).toBe('missing')
  expect(approval(edited(AT, OLD))).toBe('missing')
  expect(approval(edited(AT), [aReview('CHANGES_REQUESTED', TIP)])).toBe('approved')
  expect(approval(edited(AT, TIP, 'CHANGES_REQUESTED'), [aReview('APPROVED', TIP)])).toBe('missing')
  expect(approval({ ...edited(AT, TIP, 'NEEDS_DISCUSSION'), create_review: false })).toBe('missing')
  expect(approval(edited(AT, OLD, 'CHANGES_REQUESTED'), [aReview('APPROVED', TIP)])).toBe('approved')
})
