import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import type { LandAttempt, Task } from '../task/task.ts'
import { type Asked, concernsOf, type LandableBranch, whyNotLand } from './landable-branch.ts'
import { planLanding } from './plan-landing.ts'

const TIP = 'a'.repeat(40)
const AT = '2026-01-02T10:00:00Z'

function aDoneTask(overrides: Partial<Task> = {}): Task {
  return aTask({ status: 'completed', closed_at: AT, branch: 'b', ...overrides })
}

function aLandable(overrides: Partial<LandableBranch> = {}): LandableBranch {
  const about = { isInBase: false, guarded: [], approval: 'not-asked', needs: [] } as const
  return { branch: 'b', base: 'main', tip: TIP, tasks: [aDoneTask()], ...about, ...overrides }
}

function anAttempt(overrides: Partial<LandAttempt>): LandAttempt {
  const about = { id: '1', generation: 0, at: AT, by: 'ada', base: 'main', head: TIP, method: 'merge' }
  return { ...about, outcome: 'landed', ...overrides }
}

function codeOf(landable: LandableBranch, asked: Asked = 'unattended'): string | undefined {
  return whyNotLand(landable, asked)?.code
}

test('completed work lands', () => {
  expect(whyNotLand(aLandable(), 'unattended')).toBeNull()
})

test('missing work, work that is already in the base and landed work have different reasons', () => {
  expect(codeOf(aLandable({ tip: null }))).toBe('NO_BRANCH')
  expect(codeOf(aLandable({ isInBase: true }))).toBe('NOTHING_TO_LAND')
  expect(codeOf(aLandable({ tip: null, isInBase: true }))).toBe('NOTHING_TO_LAND')
  expect(codeOf(aLandable({ isInBase: true, tasks: [aDoneTask({ status: 'failed' })] }), 'named')).toBe('NOT_COMPLETED')
  const landed = aDoneTask({ landings: [anAttempt({})] })
  expect(codeOf(aLandable({ tasks: [landed] }))).toBe('LANDED')
  expect(codeOf(aLandable({ tasks: [landed], tip: null }))).toBe('LANDED')
  expect(codeOf(aLandable({ tasks: [landed], tip: 'b'.repeat(40) }))).toBeUndefined()
  expect(codeOf(aLandable({ tasks: [landed], base: 'release' }))).toBeUndefined()
})

test('a branch that somebody still works on does not land, and the reason of a branch that was sent back is shown', () => {
  expect(codeOf(aLandable({ tasks: [aDoneTask(), aTask({ branch: 'b' })] }))).toBe('NOT_COMPLETED')
  expect(codeOf(aLandable({ tasks: [aDoneTask({ status: 'failed' })] }), 'named')).toBe('NOT_COMPLETED')
  const refusal = anAttempt({ outcome: 'conflict', detail: 'conflicts in a.ts\nmore' })
  expect(whyNotLand(aLandable({ tasks: [aTask({ generation: 1, landings: [refusal] })] }), 'named')).toEqual({
    code: 'SENT_BACK',
    detail: 'was sent back: conflicts in a.ts',
  })
  expect(codeOf(aLandable({ tasks: [aDoneTask({ on_hold: true })] }))).toBe('ON_HOLD')
})

test('files that decide what runs land only when a person names the task', () => {
  const landable = aLandable({ guarded: ['gza.yaml'] })
  expect([codeOf(landable), codeOf(landable, 'all'), codeOf(landable, 'named')]).toEqual([
    'GUARDED_FILES',
    'GUARDED_FILES',
    undefined,
  ])
})

test('a missing approval and a later edit stop the queue and only warn a person', () => {
  const edit = { field: 'content', n: 1, at: '2026-01-02T10:00:01Z', by: 'ada', value: 'more' } as const
  const landable = aLandable({ approval: 'missing', tasks: [aDoneTask({ edits: [edit] })] })
  expect(codeOf(landable)).toBe('NOT_APPROVED')
  expect(codeOf({ ...landable, approval: 'approved' })).toBe('EDITED')
  expect(codeOf(landable, 'all')).toBeUndefined()
  expect(concernsOf(landable).map(({ code }) => code)).toEqual(['NOT_APPROVED', 'EDITED'])
})

test('commits that were refused are not tried again by the queue, but new ones are', () => {
  const tasks = [aDoneTask({ landings: [anAttempt({ outcome: 'red', detail: 'make test exited with 1' })] })]
  expect(whyNotLand(aLandable({ tasks }), 'unattended')).toEqual({
    code: 'LAND_RED',
    detail: 'did not land: make test exited with 1',
  })
  expect(codeOf(aLandable({ tasks }), 'named')).toBeUndefined()
  expect(codeOf(aLandable({ tasks, tip: 'c'.repeat(40) }))).toBeUndefined()
})

test('a branch that others build on lands first, then by priority, then by completion', () => {
  const landable = (branch: string, task: Partial<Task>, needs: string[] = []) =>
    aLandable({ branch, needs, tasks: [aDoneTask({ branch, ...task })] })
  const landables = [
    landable('low', { priority: 'low' }),
    landable('late', { closed_at: '2026-01-02T12:00:00Z' }),
    landable('early', {}),
    landable('urgent', { priority: 'critical' }, ['low']),
  ]
  const { landables: order, refused } = planLanding(landables, () => 'unattended')
  expect(order.map(({ branch }) => branch)).toEqual(['early', 'late', 'low', 'urgent'])
  expect(refused).toEqual([])
})

test('a branch that builds on work which does not land waits for it', () => {
  const below = aLandable({ branch: 'below', approval: 'missing' })
  const above = aLandable({ branch: 'above', needs: ['below'] })
  const top = aLandable({ branch: 'top', needs: ['above'] })
  const { landables, refused } = planLanding([top, above, below], () => 'unattended')
  expect(landables).toEqual([])
  expect(refused.map(({ landable, why }) => [landable.branch, why.code, why.detail])).toEqual([
    ['below', 'NOT_APPROVED', 'has no approval of its last commit'],
    ['top', 'DEPENDENCY_NOT_LANDED', 'builds on above'],
    ['above', 'DEPENDENCY_NOT_LANDED', 'builds on below'],
  ])
})
