import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { closeTask, recordRun, reopenTask } from '../task/operations.ts'
import type { Run, Task } from '../task/task.ts'
import { chooseOffers } from './choose-offers.ts'
import { decideFacts, type FactKind, type FleetFact } from './decide-facts.ts'
import { compareFences, fenceOf, nextSeq } from './fence.ts'
import { membershipFile, membershipOf } from './membership.ts'

const AT = '2026-01-02T10:00:00Z'
const NOTHING = { head: null, branch: null, commits: [] }

/** What the worker of one claim would record, on the task as it was when the claim began. */
function factsOf(task: Task, seq: number, claim: number, outcome: 'completed' | 'failed'): Record<FactKind, FleetFact> {
  const run: Run = {
    ...{ run: `run-${task.generation}-${seq}-${claim}`, attempt: seq, machine: 'm', agent: 'codex' },
    ...{ started_at: AT, generation: task.generation },
  }
  const ended: Run = { ...run, seq, claim, ended_at: AT, outcome }
  const begun = recordRun(task, run)
  const done = recordRun(task, ended)
  const closed = outcome === 'completed' ? closeTask(done, 'completed', { at: AT, by: 'codex' }, NOTHING) : done
  const about = { seq, claim, run: run.run, uid: task.uid, generation: task.generation }
  return {
    started: { kind: 'started', ...about, tasks: [begun] },
    change: {
      kind: 'change',
      ...about,
      tasks: [{ ...recordRun(task, { ...run, seq, claim }), commits: ['a'.repeat(40)] }],
    },
    ended: { kind: 'ended', ...about, tasks: [closed] },
  }
}

/** Decides one group on one task, and gives the task as it is afterwards. */
function write(task: Task, facts: readonly FleetFact[]): { task: Task; accepted: FleetFact[] } {
  const answers = decideFacts({ tasks: new Map([[task.uid, task]]), isFree: () => true }, facts)
  let after = task
  const accepted: FleetFact[] = []
  for (const [at, answer] of answers.entries()) {
    if (answer.isAccepted) accepted.push(facts[at] as FleetFact)
    after = answer.writes.find(({ uid }) => uid === task.uid) ?? after
  }
  return { task: after, accepted }
}

describe('one fact', () => {
  const task = aTask()
  const { started, ended, change } = factsOf(task, 1, 0, 'completed')

  test('a start is written with its fence, and a second time nothing is', () => {
    const first = write(task, [started])
    expect(first.task.runs.map(fenceOf)).toEqual([{ seq: 1, claim: 0 }])
    const ground = { tasks: new Map([[task.uid, first.task]]), isFree: () => true }
    expect(decideFacts(ground, [started])).toEqual([{ isAccepted: true, writes: [] }])
  })

  test('an end without a start is refused', () => {
    const ground = { tasks: new Map([[task.uid, task]]), isFree: () => true }
    expect(decideFacts(ground, [ended, change])).toEqual([
      { isAccepted: false, why: 'unknown-run', writes: [] },
      { isAccepted: false, why: 'unknown-run', writes: [] },
    ])
  })

  test('a newer claim ends the older run, and refuses its late end', () => {
    const later = factsOf(task, 1, 1, 'completed')
    const { task: after, accepted } = write(task, [started, later.started, ended, later.ended])
    expect(accepted).toEqual([started, later.started, later.ended])
    expect(after.runs.map(({ run, outcome }) => [run, outcome])).toEqual([
      ['run-0-1-0', 'interrupted'],
      ['run-0-1-1', 'completed'],
    ])
  })

  test('an older claim does not start after a newer one', () => {
    const later = factsOf(task, 2, 0, 'completed')
    const { task: after } = write(task, [later.started])
    const ground = { tasks: new Map([[task.uid, after]]), isFree: () => true }
    expect(decideFacts(ground, [started])).toEqual([{ isAccepted: false, why: 'older-claim', writes: [] }])
  })

  test('what a person has closed, deleted or opened again is not ended by a run', () => {
    const begun = write(task, [started]).task
    const why = (now: Task) => {
      const [answer] = decideFacts({ tasks: new Map([[task.uid, now]]), isFree: () => true }, [ended])
      return answer?.isAccepted ? 'accepted' : answer?.why
    }
    const closed = closeTask(begun, 'skipped', { at: AT, by: 'ada' }, NOTHING)
    expect([why(closed), why({ ...begun, deleted: true }), why(reopenTask(closed)), why(begun)]).toEqual([
      'closed-by-others',
      'no-task',
      'other-generation',
      'accepted',
    ])
    const overruled = write(closed, [ended])
    expect([overruled.accepted, overruled.task.status, overruled.task.runs[0]?.outcome] as unknown[]).toEqual([
      ...[[], 'skipped', 'interrupted'],
    ])
    expect(write(overruled.task, [ended]).task).toEqual(overruled.task)
  })

  test('a task that waits, or that somebody outside of the fleet works on, is not started', () => {
    const why = (now: Task, isFree: boolean) =>
      decideFacts({ tasks: new Map([[task.uid, now]]), isFree: () => isFree }, [started])
    const outside = recordRun(task, { run: 'other', attempt: 1, machine: 'm', started_at: AT, generation: 0 })
    const refused = [{ isAccepted: false, why: 'not-ready', writes: [] }]
    expect([why(task, false), why(outside, true)] as unknown[]).toEqual([refused, refused])
  })
})

/** What happens to the task, in any order: workers report again and again, people close it and open it again. */
type Event = { do: 'facts'; facts: { seq: number; claim: number; kind: FactKind }[] } | { do: 'close' | 'reopen' }

const anyFact = fc.record({
  seq: fc.integer({ min: 1, max: 3 }),
  claim: fc.nat(2),
  kind: fc.constantFrom<FactKind>('started', 'change', 'ended'),
})
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.array(anyFact, { maxLength: 12 }).map((facts) => ({ do: 'facts' as const, facts })) },
  { weight: 1, arbitrary: fc.constantFrom<Event>({ do: 'close' }, { do: 'reopen' }) },
)

describe('any order, repetition and interleaving of facts and of people’s changes', () => {
  test('gives at most one accepted completed run for each generation, and at most one open run', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.nat(8), (events, failing) => {
        const first = aTask()
        let task = first
        for (const event of events) {
          if (event.do === 'close' && task.status === 'pending')
            task = closeTask(task, 'skipped', { at: AT, by: 'ada' }, NOTHING)
          if (event.do === 'reopen' && task.status !== 'pending') task = reopenTask(task)
          if (event.do !== 'facts') continue
          // Workers know any earlier generation of the task.
          const facts = event.facts.flatMap(({ seq, claim, kind }) =>
            Array.from({ length: task.generation + 1 }, (_, generation) => {
              const outcome = (seq * 3 + claim) % 9 === failing ? 'failed' : 'completed'
              return factsOf({ ...first, generation }, seq, claim, outcome)[kind]
            }),
          )
          task = write(task, facts).task
          const open = task.runs.filter(({ ended_at }) => ended_at === undefined)
          expect(open.length).toBeLessThanOrEqual(1)
        }
        for (let generation = 0; generation <= task.generation; generation++) {
          const completed = task.runs.filter((run) => run.generation === generation && run.outcome === 'completed')
          expect(completed.length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('deciding a group at once, in parts, or again gives the same ledger', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 16 }), fc.nat(16), (chosen, at) => {
        const task = aTask()
        const facts = chosen.map(({ seq, claim, kind }) => factsOf(task, seq, claim, 'completed')[kind])
        const whole = write(task, facts).task
        const parts = write(write(task, facts.slice(0, at)).task, facts.slice(at)).task
        expect(parts).toEqual(whole)
        const accepted = write(task, facts).accepted
        expect(write(whole, accepted.slice(-1)).task).toEqual(whole)
      }),
    )
  })

  test('the fences of accepted starts only rise', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 20 }), (chosen) => {
        const task = aTask()
        const facts = chosen.map(({ seq, claim, kind }) => factsOf(task, seq, claim, 'failed')[kind])
        const seen = new Set<string>()
        const starts = write(task, facts).accepted.filter(({ kind, run }) => {
          const isFirst = kind === 'started' && !seen.has(run)
          seen.add(run)
          return isFirst
        })
        const sorted = [...starts].sort(compareFences)
        expect(starts.map(({ run }) => run)).toEqual(sorted.map(({ run }) => run))
      }),
    )
  })
})

describe('offers', () => {
  const task = (content: string) => aTask({ content, uid: content.padEnd(40, '0') })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(task) as [Task, Task, Task, Task]
  const none = new Set<string>()

  test('twice as many as slots are free, in order, without those that are out or paused', () => {
    const ground = { ready: [a, b, c, d], outstanding: new Set([a.uid]), waiting: 0, slots: { free: 1, busy: 0 } }
    expect(chooseOffers({ ...ground, paused: new Set([b.uid]) }).map(({ uid }) => uid)).toEqual([c.uid, d.uid])
    expect(chooseOffers({ ...ground, paused: none, waiting: 1 }).map(({ uid }) => uid)).toEqual([b.uid])
    const busy = { ...ground, paused: none, slots: { free: 0, busy: 1 } }
    expect(chooseOffers(busy).map(({ uid }) => uid)).toEqual([b.uid])
    expect(chooseOffers({ ...busy, waiting: 1 })).toEqual([])
  })

  test('the number of an offer is above all that the ledger knows', () => {
    const ran = recordRun(a, { ...((factsOf(a, 4, 2, 'failed').ended.tasks[0] as Task).runs[0] as Run) })
    const offers = chooseOffers({
      ready: [ran],
      outstanding: none,
      waiting: 0,
      slots: { free: 1, busy: 0 },
      paused: none,
    })
    expect(offers).toEqual([{ uid: a.uid, generation: 0, seq: 5 }])
    expect(nextSeq(a)).toBe(1)
  })
})

test('the newest change says whether a queue belongs to a fleet', () => {
  const joined = membershipFile(null, 'joined', 'a'.repeat(16))
  const left = membershipFile(membershipOf([joined]), 'left', 'b'.repeat(16))
  expect(membershipOf([])).toBeNull()
  expect(membershipOf([joined])).toEqual({ n: 1, fleet: 'a'.repeat(16) })
  expect(membershipOf([left, joined, 'artifacts/fleet/other.txt'])).toEqual({ n: 2, fleet: null })
  expect(membershipOf([left, membershipFile({ n: 2, fleet: null }, 'joined', 'c'.repeat(16))])?.fleet).toBe(
    'c'.repeat(16),
  )
})
