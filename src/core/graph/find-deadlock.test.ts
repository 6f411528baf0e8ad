import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findDeadlock, type OpenTask } from './find-deadlock.ts'
import { simulate } from './simulate-schedule.ts'

const open = (uid: string, needs: string[] = [], fields: Partial<OpenTask> = {}): OpenTask => ({
  uid,
  needs,
  status: needs.length === 0 ? 'pending' : 'blocked',
  isOnHold: false,
  ...fields,
})

test('there is none while something runs or can start, nor if nothing is left', () => {
  const cycle = [open('a', ['b']), open('b', ['a'])]
  expect(findDeadlock([...cycle, open('c')])).toBeNull()
  expect(findDeadlock([...cycle, open('c', ['a'], { status: 'in_progress' })])).toBeNull()
  expect(findDeadlock([])).toBeNull()
  expect(findDeadlock([open('a', [], { status: 'failed' }), open('b', [], { isOnHold: true })])).toBeNull()
})

test('it names the cycles, and the failed, put aside and unknown tasks that others wait for', () => {
  const tasks = [
    open('a', ['b']),
    open('b', ['a']),
    open('c', ['failed', 'held', 'gone']),
    open('d', ['c']),
    open('failed', [], { status: 'failed' }),
    open('held', [], { isOnHold: true }),
    open('other', [], { status: 'failed' }),
  ]
  expect(findDeadlock(tasks)).toEqual({
    left: 4,
    failed: ['failed'],
    onHold: ['held'],
    unknown: ['gone'],
    cycles: [['a', 'b']],
  })
})

const names = [...'abcdefg']
const anyTasks = fc
  .array(fc.tuple(fc.array(fc.constantFrom(...names), { maxLength: 2 }), fc.constantFrom('open', 'failed', 'held')), {
    maxLength: names.length,
  })
  .map((rows) =>
    rows.map(([needs, kind], at) =>
      open(names[at] ?? '', needs, {
        ...(kind === 'failed' && { status: 'failed' as const }),
        isOnHold: kind === 'held',
      }),
    ),
  )

test('there is one exactly if a worker would find nothing to do, and then it has a cause', () => {
  fc.assert(
    fc.property(anyTasks, (tasks) => {
      const free = tasks.filter(({ status, isOnHold }) => status !== 'failed' && !isOnHold)
      const playable = free.map(({ uid, needs }) => ({
        ...{ uid, needs, files: [], seconds: 1, earliest: 0, isWhole: false },
      }))
      const deadlock = findDeadlock(tasks)
      expect(deadlock !== null).toBe(free.length > 0 && simulate(playable, 1).runs.length === 0)
      if (deadlock === null) return
      const { failed, onHold, unknown, cycles } = deadlock
      expect([failed, onHold, unknown, cycles].some(({ length }) => length > 0)).toBe(true)
    }),
  )
})
