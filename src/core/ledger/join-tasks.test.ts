import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyCopies, anyHistory } from '../../../test/support/arbitrary-history.ts'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { addNote, closeTask, editTask, linkCommits, recordRun, reopenTask, retractNote } from '../task/operations.ts'
import type { Task } from '../task/task.ts'
import { compareText } from './canonical.ts'
import { joinTask, joinTasks, lostEdits } from './join-tasks.ts'
import { taskLine } from './task-line.ts'

const ada = { at: '2026-01-02T10:00:00Z', by: 'ada' }
const bob = { at: '2026-01-02T11:00:00Z', by: 'bob' }
const nowhere = { head: null, branch: null, commits: [] }

/** The join from both sides, which must agree. */
function joined(a: Task, b: Task): Task {
  expect(taskLine(joinTask(a, b))).toBe(taskLine(joinTask(b, a)))
  return joinTask(a, b)
}

/** A ledger's lines in sorted order: the order of a join's result has no meaning. */
function linesOf(tasks: readonly Task[]): string[] {
  return tasks.map(taskLine).sort(compareText)
}

describe('copies of one task', () => {
  test('join to the same bytes from either side, in any grouping, and however often', () => {
    fc.assert(
      fc.property(anyCopies, ([a, b, c]) => {
        expect(taskLine(joinTask(a, b))).toBe(taskLine(joinTask(b, a)))
        expect(taskLine(joinTask(joinTask(a, b), c))).toBe(taskLine(joinTask(a, joinTask(b, c))))
        expect(taskLine(joinTask(a, a))).toBe(taskLine(a))
        expect(taskLine(joinTask(joinTask(a, b), b))).toBe(taskLine(joinTask(a, b)))
      }),
      { numRuns: 500 },
    )
  })

  test('join to the same bytes even if somebody forged what never changes', () => {
    const forged = fc.record({
      number: fc.nat(3),
      created_head: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
      priority: fc.constantFrom('high' as const, 'low' as const),
      title: fc.constantFrom('x', 'y'),
      original: fc.constantFrom('x', 'y'),
    })
    fc.assert(
      fc.property(anyCopies, fc.tuple(forged, forged, forged), (copies, forgeries) => {
        const [a, b, c] = copies.map((copy, i) => ({ ...copy, ...forgeries[i] })) as [Task, Task, Task]
        expect(taskLine(joinTask(a, b))).toBe(taskLine(joinTask(b, a)))
        expect(taskLine(joinTask(joinTask(a, b), c))).toBe(taskLine(joinTask(a, joinTask(b, c))))
      }),
    )
  })

  test('lose no note, edit, commit, run, number or unknown field', () => {
    fc.assert(
      fc.property(anyCopies, ([a, b]) => {
        const both = joinTask(a, b)
        for (const copy of [a, b]) {
          expect(both.notes.map(({ id, at, by, text }) => ({ id, at, by, text }))).toEqual(
            expect.arrayContaining(copy.notes.map(({ id, at, by, text }) => ({ id, at, by, text }))),
          )
          expect(both.edits).toEqual(expect.arrayContaining(copy.edits))
          expect(both.commits).toEqual(expect.arrayContaining(copy.commits))
          expect(both.runs.map(({ run }) => run)).toEqual(expect.arrayContaining(copy.runs.map(({ run }) => run)))
          expect(both.renumbered).toEqual(expect.arrayContaining(copy.renumbered))
          expect(Object.keys(both.extra ?? {})).toEqual(expect.arrayContaining(Object.keys(copy.extra ?? {})))
        }
      }),
    )
  })
})

describe('ledgers', () => {
  test('join to the same lines from either side, in any grouping, and however often', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones }) => {
        const [a, b, c] = clones as [Task[], Task[], Task[]]
        expect(linesOf(joinTasks(a, b))).toEqual(linesOf(joinTasks(b, a)))
        expect(linesOf(joinTasks(joinTasks(a, b), c))).toEqual(linesOf(joinTasks(a, joinTasks(b, c))))
        expect(linesOf(joinTasks(a, a))).toEqual(linesOf(a))
        expect(linesOf(joinTasks(joinTasks(a, b), b))).toEqual(linesOf(joinTasks(a, b)))
      }),
      { numRuns: 300 },
    )
  })

  test('keep every task that either of them has', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones: [a = [], b = []] }) => {
        const uids = new Set([...a, ...b].map(({ uid }) => uid))
        expect(joinTasks(a, b).map(({ uid }) => uid)).toEqual([...uids])
      }),
    )
  })
})

describe('the status of two copies', () => {
  const pending = aTask()
  const failed = closeTask(pending, 'failed', ada, nowhere)
  const skipped = closeTask(pending, 'skipped', ada, nowhere)
  const completed = closeTask(pending, 'completed', bob, nowhere)

  test('completed beats skipped beats failed beats pending', () => {
    expect(joined(failed, pending).status).toBe('failed')
    expect(joined(failed, skipped).status).toBe('skipped')
    expect(joined(completed, skipped).status).toBe('completed')
    expect(joined(completed, pending)).toMatchObject({ status: 'completed', closed_at: bob.at, closed_by: 'bob' })
  })

  test('a task that was opened again beats any earlier end', () => {
    const reopened = reopenTask(completed)
    expect(joined(completed, reopened)).toMatchObject({ status: 'pending', generation: 1, closed_at: null })
    expect(joined(reopened, linkCommits(completed, ['c'.repeat(40)]))).toMatchObject({
      status: 'pending',
      closed_commit: null,
      commits: ['c'.repeat(40)],
    })
  })

  test('of two closings the earlier one wins, and the newer link of either', () => {
    const earlier = closeTask(pending, 'completed', ada, nowhere)
    expect(joined(earlier, completed)).toMatchObject({ closed_by: 'ada', closed_at: ada.at })
    const amended = linkCommits(linkCommits(completed, ['a'.repeat(40)]), ['b'.repeat(40)])
    expect(joined(linkCommits(earlier, ['c'.repeat(40)]), amended)).toMatchObject({
      closed_commit: 'b'.repeat(40),
      commits: ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)],
    })
  })
})

describe('the text of two copies', () => {
  const task = aTask({ content: 'first' })

  test('the one edited more often wins, whatever the clocks show', () => {
    const once = editTask(task, { content: 'late' }, { at: '2030-01-01T00:00:00Z', by: 'zoe' })
    const twice = editTask(editTask(task, { content: 'x' }, ada), { content: 'second' }, ada)
    expect(joined(once, twice)).toMatchObject({ content: 'second', original: 'first' })
  })

  test('of two edited equally often the greater name wins, and the loser is still reported', () => {
    const both = joined(editTask(task, { content: 'by ada' }, bob), editTask(task, { content: 'by bob' }, ada))
    expect(both.content).toBe('by ada')
    expect(lostEdits(both.edits)).toEqual([{ field: 'content', n: 1, ...ada, value: 'by bob' }])
    const again = editTask(both, { content: 'settled' }, ada)
    expect(lostEdits(joined(again, both).edits)).toEqual([])
  })

  test('an edit with the same value as the winner has not lost', () => {
    const both = joined(editTask(task, { title: 'T' }, ada), editTask(task, { title: 'T' }, bob))
    expect(lostEdits(both.edits)).toEqual([])
  })

  test('a field cleared in one copy stays cleared, and a task deleted in one stays deleted', () => {
    const titled = editTask(task, { title: 'T', group: 'G' }, ada)
    const cleared = editTask(titled, { title: null, deleted: true }, ada)
    expect(joined(titled, cleared)).toMatchObject({ group: 'G', deleted: true })
    expect(joined(titled, cleared)).not.toHaveProperty('title')
  })
})

test('of two ids the longer stays: it was given because the shorter one is taken somewhere', () => {
  const task = aTask()
  expect(joined(task, { ...task, id: `task-${task.uid.slice(0, 6)}` }).id).toBe(`task-${task.uid.slice(0, 6)}`)
})

describe('the lists of two copies', () => {
  const task = aTask()

  test('notes are in the order they were written, and a retracted one stays retracted', () => {
    const noted = addNote(task, 'one', ada, 'aa')
    const left = addNote(retractNote(noted, '1-aa'), 'two', ada, 'bb')
    const right = addNote(noted, 'other two', bob, 'ab')
    expect(joined(left, right).notes).toEqual([
      { id: '1-aa', ...ada, text: 'one', retracted: true },
      { id: '2-ab', ...bob, text: 'other two' },
      { id: '2-bb', ...ada, text: 'two' },
    ])
  })

  test('the tenth note follows the ninth', () => {
    const noted = Array.from({ length: 11 }, (_, n) => n).reduce((next, n) => addNote(next, `${n}`, ada, 'aa'), task)
    expect(joined(noted, task).notes.map(({ text }) => text)).toEqual([...'0123456789', '10'])
  })

  test('a run that ended in one copy has ended', () => {
    const run = { run: 'r1', attempt: 1, machine: 'm', started_at: ada.at }
    const ended = { ...run, ended_at: bob.at, outcome: 'completed' }
    expect(joined(recordRun(task, run), recordRun(task, ended)).runs).toEqual([ended])
  })

  test('fields of a later release unite, names of JavaScript itself among them', () => {
    const left = { ...task, extra: { colour: 'red', size: 1 } }
    const right = { ...task, extra: JSON.parse('{"constructor":1,"size":2,"toString":"x"}') }
    expect(JSON.stringify(joined(left, right).extra)).toBe('{"colour":"red","size":2,"constructor":1,"toString":"x"}')
  })

  test('fields of a later release are equal, whatever the order of their keys', () => {
    const left = { ...task, extra: { later: { a: 1, b: [{ c: 2, d: 3 }] } } }
    const right = { ...task, extra: { later: { b: [{ d: 3, c: 2 }], a: 1 } } }
    expect(taskLine(joined(left, right))).toBe(taskLine(left))
  })
})
