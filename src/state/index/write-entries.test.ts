import { expect, test } from 'bun:test'
import { createTask } from '../../core/task/operations.ts'
import { refOf, type Task } from '../../core/task/task.ts'
import { entriesNeededBy } from './dependency-rows.ts'
import { ensureLedger } from './ledger-rows.ts'
import { openMemoryState, type State } from './open-state.ts'
import { tasksInOrder } from './read-tasks.ts'
import { blockedEntries, readyEntries } from './ready-entries.ts'
import { indexTasks } from './write-entries.ts'

function aTask(number: number, fields: Partial<Task> = {}): Task {
  const authorship = { at: '2026-01-01T00:00:00Z', by: 'Ann' }
  const identity = { number, taskCount: 0, isIdTaken: () => false, salt: `${number}`, head: null }
  return { ...createTask({ content: `Task ${number}` }, authorship, identity), ...fields }
}

function anIndex(...tasks: Task[]): { db: State; lid: number; index(...tasks: Task[]): void } {
  const db = openMemoryState()
  const { lid } = ensureLedger(db, 'main')
  const index = (...tasks: Task[]) =>
    indexTasks(
      db,
      lid,
      tasks.map((task, place) => ({ task, place })),
    )
  index(...tasks)
  return { db, lid, index }
}

const numbers = (rows: Iterable<{ number: number }>) => [...rows].map(({ number }) => number)

test('a task that a join puts before all others takes no row from them', () => {
  const [first, second] = [aTask(2), aTask(3)]
  const { db, lid, index } = anIndex(first, second, aTask(4, { after: [refOf(second)] }))
  const fourth = aTask(4, { after: [refOf(second)] })
  index(aTask(1, { after: [refOf(first)] }), first, second, fourth)
  expect([...tasksInOrder(db, lid)].map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(numbers(readyEntries(db, lid))).toEqual([2, 3])
  expect([...blockedEntries(db, lid)].map(({ number, blockers }) => [number, blockers[0]?.known?.number])).toEqual([
    [1, 2],
    [4, 3],
  ])
})

test('a task waits for one that is not in the ledger, and is linked to it once it is there', () => {
  const missing = aTask(2)
  const waiting = aTask(1, { after: [refOf(missing)] })
  const { db, lid, index } = anIndex(waiting)
  expect([...blockedEntries(db, lid)].map(({ blockers }) => blockers)).toEqual([[{ uid: missing.uid, known: null }]])
  index(waiting, missing)
  expect(numbers(entriesNeededBy(db, lid, waiting.uid))).toEqual([2])
  index(waiting, { ...missing, status: 'completed', closed_at: '2026-01-02T00:00:00Z' })
  expect(numbers(readyEntries(db, lid))).toEqual([1])
})
