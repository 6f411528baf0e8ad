import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decideStatus, type StateType, type SyncStatus } from './decide-status.ts'

const STATUSES: SyncStatus[] = ['pending', 'in_progress', 'completed', 'failed', 'skipped']
const TYPES: StateType[] = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate']

test('the side that changed since the last sync wins', () => {
  const last = { ours: 'pending', theirs: 'unstarted' } as const
  expect(decideStatus('completed', 'unstarted', last)).toEqual({ kind: 'push', to: 'completed' })
  expect(decideStatus('in_progress', 'unstarted', last)).toEqual({ kind: 'push', to: 'started' })
  expect(decideStatus('pending', 'completed', last)).toEqual({ kind: 'pull', to: 'completed' })
  expect(decideStatus('pending', 'duplicate', last)).toEqual({ kind: 'pull', to: 'skipped' })
  expect(decideStatus('pending', 'started', last)).toEqual({ kind: 'none' })
  const done = { ours: 'completed', theirs: 'completed' } as const
  expect(decideStatus('completed', 'started', done)).toEqual({ kind: 'pull', to: 'pending' })
  expect(decideStatus('pending', 'completed', done)).toEqual({ kind: 'push', to: 'unstarted' })
})

test('if both changed, or the last sync is unknown, what is finished stays finished', () => {
  const last = { ours: 'pending', theirs: 'unstarted' } as const
  for (const memory of [last, null]) {
    expect(decideStatus('completed', 'started', memory)).toEqual({ kind: 'push', to: 'completed' })
    expect(decideStatus('in_progress', 'canceled', memory)).toEqual({ kind: 'pull', to: 'skipped' })
    expect(decideStatus('completed', 'canceled', memory)).toEqual({ kind: 'push', to: 'completed' })
  }
  expect(decideStatus('pending', 'started', null)).toEqual({ kind: 'none' })
})

test('after its step both sides agree: the next sync does nothing', () => {
  const pair = fc.record({ ours: fc.constantFrom(...STATUSES), theirs: fc.constantFrom(...TYPES) })
  fc.assert(
    fc.property(pair, fc.option(pair), ({ ours, theirs }, last) => {
      const step = decideStatus(ours, theirs, last)
      const now = step.kind === 'pull' ? step.to : ours
      const then = step.kind === 'push' ? step.to : theirs
      expect(decideStatus(now, then, { ours: now, theirs: then })).toEqual({ kind: 'none' })
    }),
  )
})
