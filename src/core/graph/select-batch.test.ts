import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PRIORITIES } from '../task/task.ts'
import { normalPath } from '../text/normal-path.ts'
import { compareReady } from './ready-order.ts'
import { selectBatch } from './select-batch.ts'
import { takeDisjoint } from './take-disjoint.ts'

/** Few files in several spellings, so that they overlap often. */
const anyFiles = fc.array(fc.constantFrom('a.ts', './a.ts', 'b.ts', 'src/../b.ts', 'c.ts', 'src/d.ts', 'src//d.ts'), {
  maxLength: 3,
})
const anyReady = fc
  .array(
    fc.record({
      priority: fc.constantFrom(...PRIORITIES),
      milestone_id: fc.constantFrom(null, 'M1', 'M2', 'M10'),
      files: anyFiles,
    }),
    { maxLength: 12 },
  )
  .map((tasks) => tasks.map((task, at) => ({ ...task, uid: `t${at}`, number: at + 1 })).sort(compareReady))
const anySlots = fc.integer({ min: 0, max: 6 })

const clash = (a: readonly string[], b: readonly string[]) =>
  a.some((file) => b.some((other) => normalPath(file) === normalPath(other)))

test('no two of a batch share a file, with each other or with what is busy', () => {
  fc.assert(
    fc.property(anyReady, anyFiles, anySlots, (ready, busy, slots) => {
      const batch = selectBatch(ready, busy, slots)
      expect(batch.length).toBeLessThanOrEqual(slots)
      for (const [at, task] of batch.entries()) {
        expect(clash(task.files, busy)).toBe(false)
        for (const other of batch.slice(at + 1)) expect(clash(task.files, other.files)).toBe(false)
      }
    }),
  )
})

test('a task is passed over for a less urgent one only because of its files, and slots stay free only if there are no tasks', () => {
  fc.assert(
    fc.property(anyReady, anyFiles, anySlots, (ready, busy, slots) => {
      const batch = selectBatch(ready, busy, slots)
      expect(batch.toSorted(compareReady)).toEqual(batch)
      for (const task of ready.filter((each) => !batch.includes(each))) {
        const before = batch.filter((taken) => compareReady(taken, task) < 0)
        const isFull = before.length === slots
        const inTheWay = [...busy, ...before.flatMap(({ files }) => files)]
        expect(isFull || clash(task.files, inTheWay)).toBe(true)
      }
    }),
  )
})

test('the engine, which takes them one by one, takes the same', () => {
  fc.assert(
    fc.property(anyReady, anyFiles, anySlots, (ready, busy, slots) => {
      const one = takeDisjoint(ready, ({ files }) => files, { known: [], look: () => busy })
      expect([...one.take(slots)]).toEqual(selectBatch(ready, busy, slots))
    }),
  )
})
