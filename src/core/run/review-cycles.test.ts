import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Phase, ReviewerVerdict, Task } from '../task/task.ts'
import {
  countedPhases,
  cycleToward,
  lastReview,
  nextPhase,
  phasesInTime,
  requestDigest,
  soundPhases,
} from './review-cycles.ts'

const about = { content: 'Add a login' }

function implemented(head = 'c0', more: Partial<Phase> = {}): Phase {
  return { run: 'r1', generation: 0, phase: 'implement', cycle: 0, at: '', head, told: requestDigest(about), ...more }
}

function reviewed(cycle: number, verdict: ReviewerVerdict, head: string, more: Partial<Phase> = {}): Phase {
  return { ...implemented(head), phase: 'review', cycle, verdict, ...more }
}

function improved(cycle: number, head: string): Phase {
  return { ...implemented(head), phase: 'improve', cycle }
}

describe('the next step', () => {
  test('is to implement, then to review, then to improve, then to review again', () => {
    const asksChanges = reviewed(1, 'CHANGES_REQUESTED', 'c0')
    expect(nextPhase([], 3, null)).toEqual({ do: 'implement' })
    expect(nextPhase([implemented()], 3, 'c0')).toEqual({ do: 'review', cycle: 1 })
    expect(nextPhase([implemented(), asksChanges], 3, 'c0')).toEqual({ do: 'improve', cycle: 1, review: asksChanges })
    expect(nextPhase([implemented(), asksChanges, improved(1, 'c1')], 3, 'c1')).toEqual({ do: 'review', cycle: 2 })
  })

  test('is the end once a review approves, wants to talk, or was the last that is allowed', () => {
    const end = (verdict: ReviewerVerdict, cycle: number) =>
      nextPhase([implemented(), reviewed(cycle, verdict, 'c0')], 3, 'c0')
    expect(end('APPROVED', 1)).toEqual({ do: 'finish', verdict: 'APPROVED', cycles: 1 })
    expect(end('NEEDS_DISCUSSION', 2)).toEqual({ do: 'finish', verdict: 'NEEDS_DISCUSSION', cycles: 2 })
    expect(end('CHANGES_REQUESTED', 3)).toEqual({ do: 'finish', verdict: 'MAX_CYCLES_REACHED', cycles: 3 })
  })

  test('is another review if the branch has moved since the approval', () => {
    const phases = [implemented(), reviewed(1, 'APPROVED', 'c0')]
    expect(nextPhase(phases, 3, 'c9')).toEqual({ do: 'review', cycle: 1 })
    expect(nextPhase([...phases, reviewed(1, 'APPROVED', 'c9', { at: '1' })], 3, 'c9')).toMatchObject({ do: 'finish' })
  })

  test('is the implementation if the branch no longer exists', () => {
    expect(nextPhase([implemented()], 3, null)).toEqual({ do: 'implement' })
  })

  test('does not depend on the order of the facts, and the reviews end after the allowed number', () => {
    const anyVerdict = fc.constantFrom<ReviewerVerdict>('APPROVED', 'CHANGES_REQUESTED', 'NEEDS_DISCUSSION')
    fc.assert(
      fc.property(
        fc.array(anyVerdict, { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (verdicts, max) => {
          const phases: Phase[] = []
          let tip: string | null = null
          for (let turn = 0; turn < 20; turn++) {
            const step = nextPhase([...phases].reverse(), max, tip)
            expect(step).toEqual(nextPhase(phases, max, tip))
            expect(cycleToward(step)).toBeLessThanOrEqual(max)
            if (step.do === 'finish') return
            if (step.do === 'review') phases.push(reviewed(step.cycle, verdicts[step.cycle - 1]!, tip!))
            else tip = `c${turn}`
            if (step.do === 'implement') phases.push(implemented(tip!))
            if (step.do === 'improve') phases.push(improved(step.cycle, tip!))
          }
          throw new Error('the loop did not end')
        },
      ),
    )
  })
})

describe('the phases that count', () => {
  const task = (fields: Partial<Task>) =>
    ({ ...about, phases: [implemented()], runs: [], generation: 0, ...fields }) as Task
  const run = (fields: Partial<Task['runs'][0]>) => ({ run: 'r1', attempt: 1, machine: 'm', started_at: '', ...fields })

  test('include those of a failed run, after a person has asked for another try', () => {
    expect(countedPhases(task({ generation: 1, runs: [run({ outcome: 'failed', generation: 0 })] }))).toHaveLength(1)
  })

  test('are not those from before the task was completed and opened again', () => {
    expect(countedPhases(task({ generation: 1, runs: [run({ outcome: 'completed', generation: 0 })] }))).toEqual([])
  })

  test('are not those for another text', () => {
    expect(countedPhases(task({ content: 'Add a logout' }))).toEqual([])
  })

  test('are not those from before a fresh start', () => {
    expect(countedPhases(task({ runs: [run({}), run({ run: 'r2', attempt: 2, fresh: true })] }))).toEqual([])
    expect(countedPhases(task({ runs: [run({ fresh: true })] }))).toHaveLength(1)
  })
})

test('the last verdict is that of the latest cycle', () => {
  const [second, first] = [reviewed(2, 'APPROVED', 'c1'), reviewed(1, 'CHANGES_REQUESTED', 'c0')]
  expect(lastReview([implemented()])).toBeNull()
  expect(lastReview([second, first])).toBe(second)
})

test('a verdict that would end the reviews counts only if a worker is known to have received it', () => {
  const asksChanges = reviewed(1, 'CHANGES_REQUESTED', 'c0')
  const approves = reviewed(2, 'APPROVED', 'c1')
  const phases = [implemented(), asksChanges, improved(1, 'c1'), approves]
  expect(soundPhases(phases, () => true)).toEqual(phases)
  expect(soundPhases(phases, () => false)).toEqual([implemented(), asksChanges, improved(1, 'c1')])
})

test('phases of the same second keep their real order, whatever their order in the ledger', () => {
  const asks = reviewed(1, 'CHANGES_REQUESTED', 'c0')
  const again = implemented('d0', { at: '2026-01-01T00:00:00Z' })
  const inTime = [implemented(), asks, improved(1, 'c1'), reviewed(2, 'APPROVED', 'c1'), again]
  fc.assert(
    fc.property(fc.shuffledSubarray(inTime, { minLength: inTime.length }), (shuffled) => {
      expect(phasesInTime(shuffled)).toEqual(inTime)
    }),
  )
})
