import { expect, test } from 'bun:test'
import { agentState, blockedNote, type HeldTask } from './agent-state.ts'

function held(number: number, fields: Partial<HeldTask> = {}): HeldTask {
  return {
    number,
    status: 'pending',
    isRunning: false,
    silentSince: null,
    blockedNote: null,
    isOwnFailure: false,
    isOnHold: false,
    ...fields,
  }
}

test('an agent without tasks is idle, with an assigned or running task it is busy', () => {
  expect(agentState([])).toEqual({ status: 'idle', current: null, reason: null })
  expect(agentState([held(3)])).toEqual({ status: 'busy', current: 3, reason: null })
  const running = held(4, { status: 'in_progress', isRunning: true })
  expect(agentState([held(3), running])).toEqual({ status: 'busy', current: 4, reason: null })
})

test('it is blocked if its note says so, or if all its tasks wait for others', () => {
  const running = held(4, { status: 'in_progress', isRunning: true, blockedNote: 'no database' })
  expect(agentState([running])).toEqual({ status: 'blocked', current: 4, reason: 'no database' })
  const waiting = held(5, { status: 'blocked' })
  expect(agentState([waiting])).toEqual({ status: 'blocked', current: 5, reason: 'task #5 waits for others' })
  expect(agentState([waiting, held(6)])).toEqual({ status: 'busy', current: 6, reason: null })
})

test('it has failed if it became silent, or if one of its tasks failed and nothing runs', () => {
  const silent = held(7, { silentSince: '2026-01-01T00:00:00Z' })
  expect(agentState([held(6), silent])).toEqual({
    ...{ status: 'failed', current: 7, reason: 'silent since 2026-01-01T00:00:00Z' },
  })
  expect(agentState([held(8, { status: 'failed', isOwnFailure: true })]).status).toBe('failed')
  expect(agentState([held(8, { status: 'failed' })])).toEqual({
    ...{ status: 'blocked', current: 8, reason: 'task #8 failed with another agent' },
  })
})

test('the newest note decides whether it is blocked, if it was written after the agent got the task', () => {
  const has = { since: '2026-01-01T10:00:00Z', before: ['frontend'] }
  const note = (text: string, more = {}) => ({ at: '2026-01-01T10:00:00Z', by: 'backend', text, ...more })
  expect(blockedNote([note('blocked: no key')], has)).toBe('no key')
  expect(blockedNote([note('blocked: no key'), note('found it')], has)).toBeNull()
  expect(blockedNote([note('blocked: no key', { retracted: true })], has)).toBeNull()
  expect(blockedNote([note('blocked: no key', { at: '2026-01-01T09:59:59Z' })], has)).toBeNull()
  expect(blockedNote([note('blocked: no key', { by: 'frontend' })], has)).toBeNull()
  expect(blockedNote([note('blocked: no key', { by: 'frontend', at: '2026-01-01T10:00:01Z' })], has)).toBe('no key')
})
