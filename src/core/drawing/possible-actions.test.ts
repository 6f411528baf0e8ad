import { expect, test } from 'bun:test'
import { type ActionFacts, possibleActions } from './possible-actions.ts'

const PENDING: ActionFacts = {
  ...{ status: 'pending', on_hold: false, asks: false, final_verdict: null },
  ...{ branch: null, closed_commit: null, has_review: false, is_queued: false },
}

test('an open task can be started unless it is on hold, asks or is blocked', () => {
  expect(possibleActions(PENDING)).toEqual(['start', 'assign', 'fixed', 'skip', 'abort'])
  expect(possibleActions({ ...PENDING, on_hold: true })).toEqual(['assign', 'fixed', 'skip', 'resume'])
  expect(possibleActions({ ...PENDING, asks: true })).not.toContain('start')
  expect(possibleActions({ ...PENDING, status: 'blocked' })).not.toContain('start')
})

test('a running task can be stopped, a failed one tried again', () => {
  expect(possibleActions({ ...PENDING, status: 'in_progress' })).toEqual(['stop', 'assign'])
  expect(possibleActions({ ...PENDING, status: 'failed' })).toEqual([
    ...(['retry', 'assign', 'fixed', 'skip', 'reset', 'abort'] as const),
  ])
})

test('finished work can be reviewed, improved after a review, and landed while it is queued', () => {
  const done: ActionFacts = { ...PENDING, status: 'completed', branch: 'gza/x' }
  expect(possibleActions(done)).toEqual(['review', 'reopen'])
  expect(possibleActions({ ...done, has_review: true })).toEqual(['review', 'improve', 'reopen'])
  expect(possibleActions({ ...done, is_queued: true })).toEqual(['land', 'review', 'reopen'])
  expect(possibleActions({ ...done, is_queued: true, final_verdict: 'MAX_CYCLES_REACHED' })).toEqual([
    ...(['land', 'retry', 'review', 'reopen'] as const),
  ])
  expect(possibleActions({ ...done, branch: null })).toEqual(['reopen'])
})
