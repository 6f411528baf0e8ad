import { expect, test } from 'bun:test'
import type { LandAttempt, Run } from '../task/task.ts'
import { waitsOf } from './waits.ts'

const at = (time: string) => `2026-03-02T${time}Z`
const aRun = (run: string, from: string, to?: string): Run => ({
  ...{ run, attempt: 1, machine: 'box', started_at: at(from) },
  ...(to !== undefined && { ended_at: at(to), outcome: 'failed' }),
})
const aLanding = (time: string, outcome: LandAttempt['outcome']): LandAttempt => ({
  ...{ id: time, generation: 1, at: at(time), by: 'ann', base: 'main', head: 'a', outcome, method: 'merge' },
})

test('a task waits for its first run, between its runs, and until it lands', () => {
  const runs = [aRun('second', '10:20:00', '10:30:00'), aRun('first', '10:05:00', '10:10:00')]
  const landings = [aLanding('10:35:00', 'red'), aLanding('10:40:00', 'landed'), aLanding('11:00:00', 'landed')]
  expect(waitsOf({ created_at: at('10:00:00'), runs, landings })).toEqual([
    { kind: 'start', seconds: 300, until: at('10:05:00') },
    { kind: 'retry', seconds: 600, until: at('10:20:00') },
    { kind: 'land', seconds: 600, until: at('10:40:00') },
  ])
})

test('clocks that disagree, and times that are none, are no wait', () => {
  const runs = [aRun('first', '09:00:00', '09:10:00'), aRun('second', '09:05:00')]
  expect(waitsOf({ created_at: at('10:00:00'), runs, landings: [] }).map(({ seconds }) => seconds)).toEqual([0, 0])
  expect(waitsOf({ created_at: 'never', runs: runs.slice(0, 1), landings: [] })[0]?.seconds).toBe(0)
})
