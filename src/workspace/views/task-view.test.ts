import { expect, test } from 'bun:test'
import { createTask } from '../../core/task/operations.ts'
import { refOf, type Task } from '../../core/task/task.ts'
import { ensureLedger } from '../../state/index/ledger-rows.ts'
import { openEntriesAsFiled } from '../../state/index/list-entries.ts'
import { openMemoryState, type State } from '../../state/index/open-state.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import { indexTasks } from '../../state/index/write-entries.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { viewRows, viewTask } from './task-view.ts'

/** A ledger of so many tasks, each a part of the first and waiting for the one before. */
function aView(count: number): LedgerView {
  const state = openMemoryState()
  const { lid } = ensureLedger(state, 'main')
  const tasks: Task[] = []
  for (let number = 1; number <= count; number++) {
    const identity = { number, taskCount: number, isIdTaken: () => false, salt: `${number}`, head: null }
    const task = createTask({ content: `Task ${number}` }, { at: '2026-01-01T00:00:00Z', by: 'Ann' }, identity)
    const [first, last] = [tasks[0], tasks.at(-1)]
    tasks.push({ ...task, ...(first && { parent: refOf(first) }), ...(last && { after: [refOf(last)] }) })
  }
  indexTasks(
    state,
    lid,
    tasks.map((task, place) => ({ task, place })),
  )
  const ws = { state, machine: 'here', ledger: 'main' } as LedgerView['ws']
  return { ws, row: ensureLedger(state, 'main'), leased: new Set(), stuck: new Set() }
}

function queriesOf(db: State, work: () => unknown): number {
  let asked = 0
  const query = db.query.bind(db)
  db.query = ((sql: string) => {
    asked++
    return query(sql)
  }) as State['query']
  work()
  return asked
}

const viewOpen = (view: LedgerView) => [...viewRows(view, openEntriesAsFiled(view.ws.state, view.row.lid))]

test('the views of 500 tasks take no more queries than those of 50', () => {
  const [few, many] = [aView(50), aView(500)]
  expect(queriesOf(many.ws.state, () => viewOpen(many))).toBe(queriesOf(few.ws.state, () => viewOpen(few)))
})

test('tasks that are read together have the same views as each alone', () => {
  const view = aView(1100)
  const alone = [...tasksInOrder(view.ws.state, view.row.lid)].map((task) => viewTask(view, task))
  expect(viewOpen(view)).toEqual(alone)
  expect(alone[0]?.children.length).toBe(1099)
  expect(alone[1099]).toMatchObject({ parent: alone[0]?.id, after: [alone[1098]?.id], status: 'blocked' })
})
