import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyHistory } from '../../../test/support/arbitrary-history.ts'
import { anyTime, aTask } from '../../../test/support/arbitrary-task.ts'
import { compareText } from '../ledger/canonical.ts'
import { joinTasks } from '../ledger/join-tasks.ts'
import { taskLine } from '../ledger/task-line.ts'
import type { Task } from './task.ts'
import {
  abbreviate,
  hasItsOwnUid,
  idDigits,
  numberOwners,
  numbersOf,
  renumber,
  separateIds,
  shownNumber,
  uidOfCreation,
} from './task-ids.ts'

/** Ledgers whose tasks almost share their digits and numbers, as only unlucky merges make them. */
const anyClashing = fc
  .array(
    fc.record({
      digits: fc.string({ unit: fc.constantFrom('0', '1'), minLength: 6, maxLength: 6 }),
      created_at: anyTime,
      length: fc.integer({ min: 4, max: 6 }),
      number: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 10 },
  )
  .map((births) => births.map(({ digits, length, ...birth }) => clashingTask(digits, length, birth)))
  .map(withOneCopyEach)

/** One birth has one length: the clone that filed it chose it. */
function clashingTask(digits: string, length: number, birth: Partial<Task>): Task {
  const uid = digits.padEnd(40, 'a')
  return aTask({ ...birth, uid, id: `task-${uid.slice(0, length)}` })
}

function withOneCopyEach(tasks: Task[]): Task[] {
  return [...new Map(tasks.map((task) => [task.uid, task])).values()]
}

function linesOf(tasks: readonly Task[]): string[] {
  return tasks.map(taskLine).sort(compareText)
}

/** What one clone may have of a ledger. */
function pick(tasks: readonly Task[], mask: number): Task[] {
  return separateIds(tasks.filter((_, at) => (mask >> at) & 1))
}

describe('a uid', () => {
  test('is made of content, time, author and salt', () => {
    const birth = { content: 'Do it', created_at: '2026-01-02T10:00:00Z', created_by: 'ada', salt: 'ff' }
    expect(uidOfCreation(birth)).toBe('3d51dae29be830b2ef59e762eae35b29df85c44d')
    const others = [{ content: 'Do' }, { created_at: '2026' }, { created_by: 'bob' }, { salt: 'fe' }]
    expect(new Set([birth, ...others.map((other) => ({ ...birth, ...other }))].map(uidOfCreation)).size).toBe(5)
  })

  test('does not fit another content, and still fits after an edit', () => {
    const task = aTask({ content: 'first' })
    expect(hasItsOwnUid(task)).toBe(true)
    expect(hasItsOwnUid({ ...task, content: 'forged' })).toBe(false)
    expect(hasItsOwnUid({ ...task, content: 'edited', original: 'first' })).toBe(true)
  })
})

describe('an abbreviation', () => {
  test('has four digits, and more as the ledger grows', () => {
    const steps = [0, 655, 656, 10_485, 10_486, 100_000, 167_772, 167_773]
    expect(steps.map(idDigits)).toEqual([4, 4, 5, 5, 6, 6, 6, 7])
  })

  test('is the shortest one that is free, and the whole uid if none is', () => {
    const uid = 'abcdef'.padEnd(40, '0')
    expect(abbreviate(uid, 4, () => false)).toBe('task-abcd')
    expect(abbreviate(uid, 4, (id) => ['task-abcd', 'task-abcde'].includes(id))).toBe('task-abcdef')
    expect(abbreviate(uid, 4, () => true)).toBe(`task-${uid}`)
  })

  test('is lengthened for the later of two tasks that have the same', () => {
    const early = clashingTask('000011', 4, { created_at: '2026-01-02T10:00:00Z' })
    const late = clashingTask('000000', 4, { created_at: '2026-01-02T10:01:00Z' })
    expect(separateIds([late, early]).map(({ id }) => id)).toEqual(['task-00000', 'task-0000'])
  })

  test('is unique in its ledger, begins its uid, and never gets shorter', () => {
    fc.assert(
      fc.property(anyClashing, (tasks) => {
        const separated = separateIds(tasks)
        expect(new Set(separated.map(({ id }) => id)).size).toBe(tasks.length)
        separated.forEach(({ id, uid }, at) => {
          expect(`task-${uid}`).toStartWith(id)
          expect(id.length).toBeGreaterThanOrEqual(tasks[at]!.id.length)
        })
        expect(separateIds(separated)).toEqual(separated)
      }),
      { numRuns: 300 },
    )
  })

  test('is the same in all clones, whatever they had before and in whatever order they exchange', () => {
    const anyMask = fc.nat(1023)
    fc.assert(
      fc.property(anyClashing, fc.tuple(anyMask, anyMask, anyMask), (tasks, masks) => {
        const [a, b, c] = masks.map((mask) => pick(tasks, mask)) as [Task[], Task[], Task[]]
        const all = joinTasks(joinTasks(a, b), c)
        const left = linesOf(all)
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
        expect(linesOf(joinTasks(a, joinTasks(b, c)))).toEqual(left)
        expect(linesOf(joinTasks(joinTasks(c, a), b))).toEqual(left)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a number', () => {
  test('that two tasks have stays with the earlier, and the later gets the next free one', () => {
    const [one, two] = [
      aTask({ content: 'one', number: 3 }),
      aTask({ content: 'two', number: 3, created_at: '2026-02' }),
    ]
    const numbered = renumber([two, one])
    expect(numbered).toEqual([{ ...two, renumbered: [4] }, one])
    const owners = numberOwners(numbered)
    expect(numbered.map((task) => shownNumber(task, owners))).toEqual([4, 3])
  })

  test('is shown for one task only, once a ledger was renumbered', () => {
    fc.assert(
      fc.property(anyClashing, (tasks) => {
        const numbered = renumber(tasks)
        const owners = numberOwners(numbered)
        expect(new Set(numbered.map((task) => shownNumber(task, owners))).size).toBe(tasks.length)
        numbered.forEach((task, at) => {
          expect(numbersOf(task)).toEqual(expect.arrayContaining(numbersOf(tasks[at]!)))
        })
      }),
    )
  })

  test('is given once: renumbering again changes nothing', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones: [a = [], b = []] }) => {
        const numbered = renumber(joinTasks(a, b))
        expect(renumber(numbered)).toEqual(numbered)
        expect(renumber([...numbered].reverse()).reverse()).toEqual(numbered)
      }),
    )
  })

  test('that another clone gave as well is kept next to its own, and joins agree', () => {
    fc.assert(
      fc.property(anyClashing, fc.nat(1023), fc.nat(1023), (tasks, mine, theirs) => {
        const [a, b] = [renumber(pick(tasks, mine)), renumber(pick(tasks, theirs))]
        const numbered = renumber(joinTasks(a, b))
        expect(linesOf(renumber(joinTasks(b, a)))).toEqual(linesOf(numbered))
        const owners = numberOwners(numbered)
        expect(new Set(numbered.map((task) => shownNumber(task, owners))).size).toBe(numbered.length)
      }),
      { numRuns: 300 },
    )
  })
})
