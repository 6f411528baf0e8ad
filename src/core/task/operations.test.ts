import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyHistory } from '../../../test/support/arbitrary-history.ts'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { joinTask } from '../ledger/join-tasks.ts'
import { taskLine } from '../ledger/task-line.ts'
import {
  addNote,
  closeTask,
  createTask,
  deleteTask,
  editTask,
  linkCommits,
  recordRun,
  reopenTask,
  retractNote,
  setVerdict,
} from './operations.ts'
import { hasItsOwnUid } from './task-ids.ts'

const ada = { at: '2026-01-02T10:00:00Z', by: 'ada' }
const bob = { at: '2026-01-02T11:00:00Z', by: 'bob' }
const HEAD = 'a'.repeat(40)
const COMMIT = 'b'.repeat(40)
const nowhere = { head: null, branch: null, commits: [] }

test('every operation is a step forward: joined with the state before, it gives the state after', () => {
  fc.assert(
    fc.property(anyHistory, ({ steps }) => {
      for (const { before, after } of steps) expect(taskLine(joinTask(before, after))).toBe(taskLine(after))
    }),
    { numRuns: 500 },
  )
})

test('no operation touches the birth of a task', () => {
  fc.assert(
    fc.property(anyHistory, ({ clones, steps }) => {
      for (const task of clones.flat()) expect(hasItsOwnUid(task)).toBe(true)
      for (const { before, after } of steps) expect(creationOf(after)).toEqual(creationOf(before))
    }),
  )
})

function creationOf({ uid, salt, number, created_at, created_by, created_head }: ReturnType<typeof aTask>) {
  return { uid, salt, number, created_at, created_by, created_head }
}

test('a new task has its defaults, its identity, and the commit of HEAD', () => {
  const identity = { number: 7, taskCount: 0, isIdTaken: () => false, salt: 'ff', head: HEAD }
  expect(createTask({ content: 'Do it', title: undefined, group: 'G' }, ada, identity)).toEqual({
    content: 'Do it',
    group: 'G',
    type: 'task',
    priority: 'medium',
    after: [],
    depends_on: [],
    based_on: [],
    created_at: ada.at,
    created_by: 'ada',
    salt: 'ff',
    id: 'task-3d51',
    uid: '3d51dae29be830b2ef59e762eae35b29df85c44d',
    number: 7,
    renumbered: [],
    created_head: HEAD,
    generation: 0,
    status: 'pending',
    closed_at: null,
    closed_commit: null,
    link: 0,
    commits: [],
    notes: [],
    edits: [],
    runs: [],
    phases: [],
    landings: [],
  })
})

test('a new task whose short id is taken gets a longer one', () => {
  const identity = { number: 1, taskCount: 0, salt: 'ff', head: null }
  const { id, uid } = createTask({ content: 'x' }, ada, { ...identity, isIdTaken: (id) => id.length < 11 })
  expect(id).toBe(`task-${uid.slice(0, 6)}`)
})

describe('closing', () => {
  const task = aTask()

  test('with commits links them, and the last one closes it', () => {
    const work = { head: HEAD, branch: 'main', commits: [COMMIT, HEAD] }
    expect(closeTask(task, 'completed', bob, work)).toEqual({
      ...task,
      status: 'completed',
      closed_at: bob.at,
      closed_by: 'bob',
      closed_commit: HEAD,
      link: 1,
      commits: [HEAD, COMMIT],
    })
  })

  test('without commits remembers where to look for the next one, until it is found', () => {
    const closed = closeTask(task, 'completed', bob, { head: HEAD, branch: 'main', commits: [] })
    expect(closed).toMatchObject({ closed_head: HEAD, closed_branch: 'main', closed_commit: null })
    const { closed_head: _head, ...rest } = closed
    expect(linkCommits(closed, [COMMIT])).toEqual({ ...rest, closed_commit: COMMIT, link: 1, commits: [COMMIT] })
  })

  test('is undone by a new generation that keeps the commits', () => {
    const closed = closeTask(task, 'completed', bob, { head: HEAD, branch: 'main', commits: [COMMIT] })
    expect(reopenTask(closed)).toEqual({ ...task, generation: 1, commits: [COMMIT] })
    expect(reopenTask(closeTask(task, 'failed', bob, nowhere))).toEqual({ ...task, generation: 1 })
  })
})

describe('notes', () => {
  test('are numbered from the greatest on', () => {
    const noted = addNote(addNote(aTask(), 'one', ada, 'aa'), 'two', bob, 'bb')
    expect(noted.notes).toEqual([
      { id: '1-aa', ...ada, text: 'one' },
      { id: '2-bb', ...bob, text: 'two' },
    ])
    expect(retractNote(noted, '1-aa').notes).toEqual([
      { id: '1-aa', ...ada, text: 'one', retracted: true },
      { id: '2-bb', ...bob, text: 'two' },
    ])
  })
})

describe('edits', () => {
  const task = aTask({ content: 'first' })

  test('set the field, increase the count, and keep the first content', () => {
    const edited = editTask(editTask(task, { content: 'second' }, ada), { content: 'third', title: 'T' }, bob)
    expect(edited).toEqual({
      ...task,
      content: 'third',
      original: 'first',
      title: 'T',
      edits: [
        { field: 'content', n: 1, ...ada, value: 'second' },
        { field: 'content', n: 2, ...bob, value: 'third' },
        { field: 'title', n: 1, ...bob, value: 'T' },
      ],
    })
  })

  test('that change nothing are not recorded', () => {
    expect(editTask(task, { content: 'first', title: null, after: [] }, ada)).toBe(task)
  })

  test('delete and undelete', () => {
    const deleted = deleteTask(task, ada)
    expect(deleted).toMatchObject({ deleted: true, edits: [{ field: 'deleted', n: 1, ...ada, value: true }] })
    expect(deleteTask(deleted, bob)).toBe(deleted)
    expect(editTask(deleted, { deleted: false }, bob)).toMatchObject({ deleted: false, content: 'first' })
  })
})

test('a run is recorded once, in the order of attempts', () => {
  const run = (name: string, attempt: number) => ({ run: name, attempt, machine: 'm', started_at: ada.at })
  const two = recordRun(recordRun(aTask(), run('b', 2)), run('a', 1))
  expect(two.runs).toEqual([run('a', 1), run('b', 2)])
  const ended = { ...run('a', 1), ended_at: bob.at, outcome: 'failed' }
  expect(recordRun(recordRun(two, ended), ended).runs).toEqual([ended, run('b', 2)])
})

test('a verdict is about one commit: repeating it changes nothing, and for another commit it is a new one', () => {
  const first = setVerdict(aTask(), 'APPROVED', { ...ada, head: HEAD })
  expect(setVerdict(first, 'APPROVED', { ...bob, head: HEAD })).toBe(first)
  const second = setVerdict(first, 'APPROVED', { ...bob, head: COMMIT })
  const about = { field: 'final_verdict', value: 'APPROVED' } as const
  expect(second.edits).toEqual([
    { ...about, ...ada, n: 1, head: HEAD },
    { ...about, ...bob, n: 2, head: COMMIT },
  ])
})
