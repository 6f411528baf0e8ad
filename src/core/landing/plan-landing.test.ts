import { expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import type { LandAttempt, Task } from '../task/task.ts'
import { type Asked, concernsOf, type Work, whyNotLand } from './landable-branch.ts'
import { planLanding } from './plan-landing.ts'

const TIP = 'a'.repeat(40)
const AT = '2026-01-02T10:00:00Z'

function aDoneTask(overrides: Partial<Task> = {}): Task {
  return aTask({ status: 'completed', closed_at: AT, branch: 'b', ...overrides })
}

function aWork(overrides: Partial<Work> = {}): Work {
  const about = { isInBase: false, guarded: [], approval: 'not-asked', needs: [] } as const
  return { branch: 'b', base: 'main', tip: TIP, tasks: [aDoneTask()], ...about, ...overrides }
}

function anAttempt(overrides: Partial<LandAttempt>): LandAttempt {
  const about = { id: '1', generation: 0, at: AT, by: 'ada', base: 'main', head: TIP, method: 'merge' }
  return { ...about, outcome: 'landed', ...overrides }
}

function codeOf(work: Work, asked: Asked = 'unattended'): string | undefined {
  return whyNotLand(work, asked)?.code
}

test('completed work lands', () => {
  expect(whyNotLand(aWork(), 'unattended')).toBeNull()
})

test('work that is nowhere to be found, in the base already, or has landed is told apart', () => {
  expect(codeOf(aWork({ tip: null }))).toBe('NO_BRANCH')
  expect(codeOf(aWork({ isInBase: true }))).toBe('NOTHING_TO_LAND')
  expect(codeOf(aWork({ tip: null, isInBase: true }))).toBe('NOTHING_TO_LAND')
  expect(codeOf(aWork({ isInBase: true, tasks: [aDoneTask({ status: 'failed' })] }), 'named')).toBe('NOT_COMPLETED')
  const landed = aDoneTask({ landings: [anAttempt({})] })
  expect(codeOf(aWork({ tasks: [landed] }))).toBe('LANDED')
  expect(codeOf(aWork({ tasks: [landed], tip: null }))).toBe('LANDED')
  expect(codeOf(aWork({ tasks: [landed], tip: 'b'.repeat(40) }))).toBeUndefined()
  expect(codeOf(aWork({ tasks: [landed], base: 'release' }))).toBeUndefined()
})

test('a branch that somebody still works on does not land, and one that was sent back says so', () => {
  expect(codeOf(aWork({ tasks: [aDoneTask(), aTask({ branch: 'b' })] }))).toBe('NOT_COMPLETED')
  expect(codeOf(aWork({ tasks: [aDoneTask({ status: 'failed' })] }), 'named')).toBe('NOT_COMPLETED')
  const refusal = anAttempt({ outcome: 'conflict', detail: 'conflicts in a.ts\nmore' })
  expect(whyNotLand(aWork({ tasks: [aTask({ generation: 1, landings: [refusal] })] }), 'named')).toEqual({
    code: 'SENT_BACK',
    detail: 'was sent back: conflicts in a.ts',
  })
  expect(codeOf(aWork({ tasks: [aDoneTask({ on_hold: true })] }))).toBe('ON_HOLD')
})

test('what decides what runs lands only when a person names it', () => {
  const work = aWork({ guarded: ['gza.yaml'] })
  expect([codeOf(work), codeOf(work, 'all'), codeOf(work, 'named')]).toEqual([
    'GUARDED_FILES',
    'GUARDED_FILES',
    undefined,
  ])
})

test('a missing approval and a later edit stop the queue and only warn a person', () => {
  const edit = { field: 'content', n: 1, at: '2026-01-02T10:00:01Z', by: 'ada', value: 'more' } as const
  const work = aWork({ approval: 'missing', tasks: [aDoneTask({ edits: [edit] })] })
  expect(codeOf(work)).toBe('NOT_APPROVED')
  expect(codeOf({ ...work, approval: 'approved' })).toBe('EDITED')
  expect(codeOf(work, 'all')).toBeUndefined()
  expect(concernsOf(work).map(({ code }) => code)).toEqual(['NOT_APPROVED', 'EDITED'])
})

test('commits that were refused are not tried again by the queue, new ones are', () => {
  const tasks = [aDoneTask({ landings: [anAttempt({ outcome: 'red', detail: 'make test exited with 1' })] })]
  expect(whyNotLand(aWork({ tasks }), 'unattended')).toEqual({
    code: 'LAND_RED',
    detail: 'did not land: make test exited with 1',
  })
  expect(codeOf(aWork({ tasks }), 'named')).toBeUndefined()
  expect(codeOf(aWork({ tasks, tip: 'c'.repeat(40) }))).toBeUndefined()
})

test('what others build on lands first, then by priority, then by completion', () => {
  const work = (branch: string, task: Partial<Task>, needs: string[] = []) =>
    aWork({ branch, needs, tasks: [aDoneTask({ branch, ...task })] })
  const works = [
    work('low', { priority: 'low' }),
    work('late', { closed_at: '2026-01-02T12:00:00Z' }),
    work('early', {}),
    work('urgent', { priority: 'critical' }, ['low']),
  ]
  const { works: order, refused } = planLanding(works, () => 'unattended')
  expect(order.map(({ branch }) => branch)).toEqual(['early', 'late', 'low', 'urgent'])
  expect(refused).toEqual([])
})

test('what builds on work that does not land waits for it', () => {
  const below = aWork({ branch: 'below', approval: 'missing' })
  const above = aWork({ branch: 'above', needs: ['below'] })
  const top = aWork({ branch: 'top', needs: ['above'] })
  const { works, refused } = planLanding([top, above, below], () => 'unattended')
  expect(works).toEqual([])
  expect(refused.map(({ work, why }) => [work.branch, why.code, why.detail])).toEqual([
    ['below', 'NOT_APPROVED', 'has no approval of its last commit'],
    ['top', 'DEPENDENCY_NOT_LANDED', 'builds on above'],
    ['above', 'DEPENDENCY_NOT_LANDED', 'builds on below'],
  ])
})
