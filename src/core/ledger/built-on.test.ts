import { describe, expect, test } from 'bun:test'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import {
  addNote,
  closeTask,
  deleteTask,
  editTask,
  linkCommits,
  recordRun,
  reopenTask,
  restoreTask,
} from '../task/operations.ts'
import { refOf, type Task } from '../task/task.ts'
import { builtOn } from './built-on.ts'

const ann = { at: '2026-01-02T10:00:00Z', by: 'Ann' }
const ben = { at: '2026-01-02T11:00:00Z', by: 'Ben' }
const NO_WORK = { head: null, branch: null, commits: [] }
const filed = aTask({ content: 'filed' })
const done = closeTask(filed, 'completed', ann, NO_WORK)
const run = { run: 'r1', attempt: 1, machine: 'm', started_at: ann.at }

/** What Ben did with which task, after Ann's step. */
function verbs(step: [Task | null, Task], later: [Task | null, Task]): string[] {
  return builtOn(changed(...step), changed(...later)).map(({ verb }) => verb)
}

function changed(before: Task | null, after: Task) {
  return { before: new Map(before === null ? [] : [[before.uid, before]]), after: new Map([[after.uid, after]]) }
}

describe('an add', () => {
  test.each<[string, Task]>([
    ['finished', closeTask(filed, 'completed', ben, NO_WORK)],
    ['edited', editTask(filed, { priority: 'high' }, ben)],
    ['added a note to', addNote(filed, 'seen', ben, 'bb')],
    ['started', recordRun(filed, run)],
    ['deleted', deleteTask(filed, ben)],
  ])('was built on by somebody who %s the task', (verb, later) => {
    expect(verbs([null, filed], [filed, later])).toEqual([verb])
  })

  test('was built on by a new task that depends on it, or is a part of it', () => {
    for (const fields of [{ after: [refOf(filed)] }, { parent: refOf(filed) }])
      expect(verbs([null, filed], [null, aTask({ content: 'other', ...fields })])).toEqual(['added'])
    expect(verbs([null, filed], [null, aTask({ content: 'other' })])).toEqual([])
  })

  test('was not built on by a link to a commit', () => {
    expect(verbs([null, done], [done, linkCommits(done, ['c'.repeat(40)])])).toEqual([])
  })
})

describe('an edit', () => {
  const [first, second] = [editTask(filed, { priority: 'high' }, ann), editTask(filed, { content: 'other' }, ann)]

  test('was built on by an edit of the same field only', () => {
    expect(verbs([filed, first], [first, editTask(first, { priority: 'low' }, ben)])).toEqual(['edited'])
    expect(verbs([filed, first], [first, editTask(first, { group: 'g' }, ben)])).toEqual([])
    expect(verbs([filed, first], [first, addNote(first, 'seen', ben, 'bb')])).toEqual([])
  })

  test('of what is to be done was built on by doing it', () => {
    expect(verbs([filed, second], [second, closeTask(second, 'completed', ben, NO_WORK)])).toEqual(['finished'])
    expect(verbs([filed, first], [first, closeTask(first, 'completed', ben, NO_WORK)])).toEqual([])
  })
})

describe('a closing', () => {
  const waiting = aTask({ content: 'waiting', after: [refOf(filed)] })

  test('was built on by opening the task again, not by a note', () => {
    expect(verbs([filed, done], [done, reopenTask(done)])).toEqual(['reopened'])
    expect(verbs([filed, done], [done, addNote(done, 'seen', ben, 'bb')])).toEqual([])
  })

  test('was built on by work on a task that waited for it', () => {
    expect(verbs([filed, done], [waiting, recordRun(waiting, run)])).toEqual(['started'])
    expect(verbs([filed, done], [waiting, editTask(waiting, { group: 'g' }, ben)])).toEqual([])
  })
})

test('a restoring was built on like an add, a deletion only by restoring', () => {
  const gone = deleteTask(filed, ann)
  const back = restoreTask(gone, ann)
  expect(verbs([gone, back], [back, addNote(back, 'seen', ben, 'bb')])).toEqual(['added a note to'])
  expect(verbs([filed, gone], [gone, addNote(gone, 'seen', ben, 'bb')])).toEqual([])
  expect(verbs([filed, gone], [gone, restoreTask(gone, ben)])).toEqual(['restored'])
})
