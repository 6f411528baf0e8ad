import { expect, test } from 'bun:test'
import { joinTask } from '../ledger/join-tasks.ts'
import { taskLine } from '../ledger/task-line.ts'
import { isExpiredClaim, openLateDones, settleLateDone } from './late-done.ts'
import { addNote, closeTask, createTask, recordRun } from './operations.ts'
import type { Run, Task } from './task.ts'

const NOW = '2026-01-29T10:00:00Z'
const CLAIM: Run = {
  ...{ run: 'claim-1', attempt: 1, machine: 'a', clone: 'a', started_at: '2026-01-29T08:00:00Z', generation: 0 },
  ...{ agent: 'helena', claimed: true, until: '2026-01-29T09:00:00Z' },
}
const TAKER: Run = {
  ...{ run: 'r2', attempt: 2, machine: 'b', clone: 'b', started_at: '2026-01-29T09:10:00Z', generation: 0 },
  ...{ agent: 'bea', expired_claims: ['claim-1'] },
}
const NO_WORK = { head: null, branch: null, commits: [] }

test('a claim has expired for others five minutes after its time; one without a time never has', () => {
  expect(isExpiredClaim(CLAIM, '2026-01-29T09:04:59Z')).toBe(false)
  expect(isExpiredClaim(CLAIM, '2026-01-29T09:05:00Z')).toBe(true)
  expect(isExpiredClaim({ claimed: true }, NOW)).toBe(false)
  expect(isExpiredClaim({ claimed: true, until: 'soon' }, NOW)).toBe(false)
  expect(isExpiredClaim({ until: CLAIM.until }, NOW)).toBe(false)
})

test('the task stays with the taker, and the late report is one note, in whatever order clones join', () => {
  for (const order of orders([late(), taken(), claimed()])) {
    const { status, notes, runs } = gossip(order)
    expect([status, notes.map(({ text }) => text)]).toEqual([
      'pending',
      ['done by helena, after its claim had expired and bea had taken the task'],
    ])
    expect(runs.map(({ outcome }) => outcome)).toEqual(['completed', undefined])
  }
})

test('what the taker has finished stays finished, in whatever order clones join', () => {
  for (const order of orders([late(), taken(), finished()])) {
    const joined = gossip(order)
    expect([joined.status, joined.closed_by]).toEqual(['completed', expect.any(String)])
    expect(joined.notes.length).toBe(1)
  }
})

test('a late report is answered by a person’s note or closing, not by an agent’s', () => {
  const open = gossip([late(), taken()])
  expect(openLateDones(open).map(({ by }) => by)).toEqual(['helena'])
  const [agents, persons] = ['bea', 'Test'].map((by) => addNote(open, 'seen', { at: NOW, by }, 'abcdef12')) as [
    Task,
    Task,
  ]
  expect([openLateDones(agents).length, openLateDones(persons).length]).toEqual([1, 0])
  const closed = closeTask(open, 'completed', { at: NOW, by: 'Test' }, NO_WORK)
  expect(openLateDones(closed)).toEqual([])
})

function claimed(): Task {
  const identity = { number: 1, taskCount: 0, isIdTaken: () => false, salt: 'salt', head: null }
  return recordRun(createTask({ content: 'Fix' }, { at: '2026-01-29T07:00:00Z', by: 'Test' }, identity), CLAIM)
}

function late(): Task {
  const end = { ended_at: '2026-01-29T09:30:00Z', outcome: 'completed' }
  const ended = recordRun(claimed(), { ...CLAIM, ...end })
  return closeTask(ended, 'completed', { at: end.ended_at, by: 'helena' }, NO_WORK)
}

function taken(): Task {
  return recordRun(claimed(), TAKER)
}

function finished(): Task {
  const end = { ended_at: '2026-01-29T09:40:00Z', outcome: 'completed' }
  return closeTask(recordRun(taken(), { ...TAKER, ...end }), 'completed', { at: end.ended_at, by: 'bea' }, NO_WORK)
}

/** Each clone joins with the next one, until all have the same bytes. */
function gossip(copies: readonly Task[]): Task {
  const states = [...copies]
  for (let round = 0; round < 5; round++) {
    for (let at = 0; at < states.length; at++) {
      const next = (at + 1) % states.length
      const [mine, theirs] = [states[at] as Task, states[next] as Task]
      states[at] = settleLateDone([mine, theirs], joinTask(mine, theirs))
      states[next] = states[at] as Task
    }
  }
  expect(new Set(states.map(taskLine)).size).toBe(1)
  return states[0] as Task
}

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
