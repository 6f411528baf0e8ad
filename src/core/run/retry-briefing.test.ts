import { expect, test } from 'bun:test'
import type { LandAttempt, Run } from '../task/task.ts'
import { retryBriefing as textOf } from './retry-briefing.ts'

function retryBriefing(task: Parameters<typeof textOf>[0], tip: string | null = null): string | null {
  return textOf(task, () => tip)
}

const HEAD = 'a'.repeat(40)

function aRefusal(at: string, outcome: LandAttempt['outcome']): LandAttempt {
  const about = { id: at, generation: 0, by: 'ada', base: 'main', head: HEAD, method: 'merge', onto: 'b'.repeat(40) }
  return { ...about, at, outcome, detail: 'conflicts in a.ts' }
}

function aFailure(ended_at: string): Run {
  const about = { run: 'r', attempt: 2, machine: 'm', started_at: ended_at, ended_at }
  return { ...about, outcome: 'failed', reason: 'verify-failed', detail: 'make exited with 1' }
}

test('a task without a failure has no retry briefing', () => {
  expect(retryBriefing({ runs: [], landings: [] })).toBeNull()
  expect(retryBriefing({ runs: [], landings: [aRefusal('2', 'landed'), aRefusal('1', 'red')] })).toBeNull()
})

test('for work that did not land, it names what to merge', () => {
  expect(retryBriefing({ runs: [], landings: [aRefusal('1', 'conflict')] })).toBe(
    [
      'The work on this branch is done, but it could not land on main: it conflicts with the changes there.',
      'conflicts in a.ts',
      'Bring main into this branch first (git merge bbbbbbbbbbbb), resolve every conflict, make sure that both sides still work, and commit.',
    ].join('\n'),
  )
})

test('it names the current base, not the base of the failed landing', () => {
  const landings = [aRefusal('1', 'red')]
  expect(retryBriefing({ runs: [], landings }, 'c'.repeat(40))).toContain('(git merge cccccccccccc)')
})

test('it includes a later failure, but not an earlier one', () => {
  const landings = [aRefusal('5', 'red')]
  expect(retryBriefing({ runs: [aFailure('6')], landings })).toEndWith(
    'Attempt 2 failed: verify-failed\nmake exited with 1',
  )
  expect(retryBriefing({ runs: [aFailure('4')], landings })).not.toContain('Attempt 2')
  expect(retryBriefing({ runs: [aFailure('4')], landings: [] })).toBe(
    'Attempt 2 failed: verify-failed\nmake exited with 1',
  )
})
