import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PRIORITIES } from '../task/task.ts'
import { compareReady, type Ranked } from './ready-order.ts'

function sorted(tasks: Partial<Ranked>[]): Ranked[] {
  return tasks.map((task) => ({ priority: 'medium' as const, number: 1, ...task })).sort(compareReady)
}

function milestonesOf(milestones: (string | null)[]): unknown[] {
  return sorted(milestones.map((milestone_id) => ({ milestone_id }))).map((task) => task.milestone_id)
}

const ranked = fc.record({
  priority: fc.constantFrom(...PRIORITIES),
  milestone_id: fc.option(fc.oneof(fc.stringMatching(/^[Ma]?0?[0-9]{0,2}[.b]?[0-9]?$/), fc.string({ unit: 'binary' }))),
  number: fc.integer({ min: 1, max: 5 }),
})

describe('compareReady', () => {
  test('the more urgent task goes first, whatever its milestone and number', () => {
    const tasks = sorted([
      { priority: 'low', number: 1, milestone_id: 'M1' },
      { priority: 'medium', number: 2 },
      { priority: 'critical', number: 9, milestone_id: 'M9' },
      { priority: 'high', number: 3 },
    ])
    expect(tasks.map((task) => task.priority)).toEqual(['critical', 'high', 'medium', 'low'])
  })

  test('milestones come in natural order, tasks without one last', () => {
    expect(milestonesOf([null, 'M10', 'M2', '', 'M2.10', 'M2.9', 'M', 'A9'])).toEqual([
      'A9',
      'M',
      'M2',
      'M2.9',
      'M2.10',
      'M10',
      null,
      '',
    ])
    expect(milestonesOf(['M90000000000000000001', 'M90000000000000000000', 'M02', 'M2', 'M1'])).toEqual([
      'M1',
      'M02',
      'M2',
      'M90000000000000000000',
      'M90000000000000000001',
    ])
  })

  test('otherwise the lower number goes first', () => {
    expect(sorted([{ number: 10 }, { number: 9 }, { number: 301 }]).map((task) => task.number)).toEqual([9, 10, 301])
  })

  test('it is a total order: antisymmetric and transitive', () => {
    fc.assert(
      fc.property(ranked, ranked, ranked, (a, b, c) => {
        expect(Math.sign(compareReady(a, b))).toBe(0 - Math.sign(compareReady(b, a)))
        if (compareReady(a, b) <= 0 && compareReady(b, c) <= 0) expect(compareReady(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 2000 },
    )
  })
})
