import { expect, test } from 'bun:test'
import { taskLine } from '../../../core/ledger/task-line.ts'
import { createTask } from '../../../core/task/operations.ts'
import { refOf, type Task } from '../../../core/task/task.ts'
import { ensureLedger } from '../ledger-rows.ts'
import { openMemoryState, type State } from '../open-state.ts'
import { indexTasks } from '../write-entries.ts'
import { openBuild } from './build-entries.ts'

function aTask(number: number, fields: Partial<Task> = {}): Task {
  const authorship = { at: '2026-01-01T00:00:00Z', by: 'Ann' }
  const identity = { number, taskCount: 0, isIdTaken: () => false, salt: `${number}`, head: null }
  return { ...createTask({ content: `Task ${number}` }, authorship, identity), ...fields }
}

/** Tasks that depend on earlier, later, missing and deleted ones, and that share numbers. */
function someTasks(): Task[] {
  const tasks = Array.from({ length: 60 }, (_, at) => aTask(at + 1))
  const at = (index: number) => refOf(tasks[index] as Task)
  const missing = refOf(aTask(1000))
  const closed = { status: 'completed', closed_at: '2026-01-02T00:00:00Z' } as const
  return tasks.map((task, index) => {
    if (index % 11 === 0) return { ...task, ...TIES[(index / 11) % TIES.length] }
    if (index % 7 === 1) return { ...task, after: [at(index - 1)] }
    if (index % 7 === 2) return { ...task, after: [at((index + 3) % 60), at(index - 2)] }
    if (index % 7 === 3) return { ...task, ...closed }
    if (index % 7 === 4) return { ...task, depends_on: [missing, at(index)] }
    if (index % 7 === 5) return { ...task, deleted: true }
    return index % 7 === 6 ? { ...task, number: index, renumbered: index % 2 === 0 ? [200 + index] : [] } : task
  })
}

/** Each of these alone makes a row unusual. */
const TIES: Partial<Task>[] = [
  { priority: 'high' },
  { type: 'explore' },
  { group: 'g', key: 'k' },
  { milestone_id: 'M2', plan_file: 'plan.md' },
  { on_hold: true },
  { branch: 'b', assigned_agent: 'a', project: 'p' },
]

const place = (task: Task, index: number) => ({ task, place: index, line: taskLine(task) })

/** Everything that is in the index, and what the query planner knows of it. */
function contentOf(db: State): unknown {
  const tables = ['ledgers', 'entries', 'lines', 'needs', 'claims', 'sqlite_stat1']
  const rows = tables.map((table) => [table, db.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all()])
  const indexes = db.query("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all()
  return { ...Object.fromEntries(rows), indexes }
}

test('rows that are built at once are those that are written one after the other', () => {
  const written = openMemoryState()
  indexTasks(written, ensureLedger(written, 'main').lid, someTasks().map(place))
  const built = openMemoryState()
  const build = openBuild(built, ensureLedger(built, 'main'))
  const placed = someTasks().map(place)
  for (let at = 0; at < placed.length; at += 16) build.add(placed.slice(at, at + 16))
  build.finish()
  expect(contentOf(built)).toEqual(contentOf(written))
})

test('a second ledger is built beside the first', () => {
  const [written, built] = [openMemoryState(), openMemoryState()]
  for (const ledger of ['main', 'other']) indexTasks(written, ensureLedger(written, ledger).lid, someTasks().map(place))
  for (const ledger of ['main', 'other']) {
    const build = openBuild(built, ensureLedger(built, ledger))
    build.add(someTasks().map(place))
    build.finish()
  }
  expect(contentOf(built)).toEqual(contentOf(written))
})
