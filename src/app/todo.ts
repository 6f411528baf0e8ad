/** TODO.md says what work there is; the ledger says what is happening (004). This is the way between them. */
import { join, resolve } from 'node:path'
import { refOf, type Task } from '../core/task.ts'
import { boxIn, type FlowStep, readFlowStep, readTodo, type TodoItem } from '../core/todo.ts'
import { UserError } from '../core/user-error.ts'
import { readTextIfThere, replaceBytes } from '../platform/files.ts'
import { type Entry, entriesWhere } from '../state/sqlite/read-index.ts'
import { changeLedger } from './change-ledger.ts'
import { loadConfiguration } from './configuration.ts'
import { checkedContent } from './field-input.ts'
import { readLedger } from './fresh-ledger.ts'
import type { LedgerView } from './ledger-view.ts'
import { openNursery } from './nursery.ts'
import { derivedStatus, nameOf } from './task-view.ts'
import { viewChanged } from './view-changed.ts'
import type { TaskName, TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

export interface TodoPlace {
  file?: string
  cwd: string
}

/** An item of the backlog. The shape is public. */
export interface TodoView extends Omit<TodoItem, 'content'> {
  /** The task that it was taken up as. */
  task: TaskName | null
}

export function listTodo(ws: Workspace, place: TodoPlace): TodoView[] {
  const { items } = openTodo(ws, place)
  const view = readLedger(ws)
  const taken = takenUp(view)
  return items.map(({ content: _, ...item }) => {
    const row = taken.get(item.text)
    return { ...item, task: row === undefined ? null : nameOf(view, row) }
  })
}

export interface StartOptions extends TodoPlace {
  plan?: string
  project?: string
}

/** Files the item as a task, with the steps of the work as its parts, each after the one before; in one commit. */
export async function startTodo(ws: Workspace, number: number, options: StartOptions): Promise<TaskView[]> {
  const { flow } = (await loadConfiguration(ws)).todo
  const item = itemOf(openTodo(ws, options), number)
  if (item.done)
    throw new UserError('TODO_DONE', `Item ${number} is ticked: ${item.text}`, {
      hint: 'Untick it to take it up again.',
    })
  const tasks = changeLedger(ws, (view) => {
    refuseTakenUp(view, item)
    const made = draftTasks(view, item, { ...options, steps: flow.map(readFlowStep) })
    return { tasks: made, subject: `start ${made[0]?.id} in ${made.length - 1} steps`, result: made }
  })
  return viewChanged(ws, tasks)
}

function draftTasks(
  view: LedgerView,
  item: TodoItem,
  { plan, project, steps }: StartOptions & { steps: readonly FlowStep[] },
): Task[] {
  const create = openNursery(view)
  const shared = {
    ...(plan !== undefined && { plan_file: plan }),
    ...(project !== undefined && { project }),
    ...(item.heading !== null && { group: item.heading }),
  }
  const whole = create({ ...shared, content: checkedContent(item.content) })
  const tasks = [whole]
  for (const { type, title } of steps) {
    const before = tasks.length > 1 ? (tasks.at(-1) as Task) : null
    const content = checkedContent(`${title}\n\nA step of ${whole.id}: ${item.text}`)
    tasks.push(create({ ...shared, content, type, parent: refOf(whole), ...(before && { after: [refOf(before)] }) }))
  }
  return tasks
}

function refuseTakenUp(view: LedgerView, { number, text }: TodoItem): void {
  const row = takenUp(view).get(text)
  if (row === undefined || row.status === 'completed' || row.status === 'skipped') return
  throw new UserError('TODO_STARTED', `Item ${number} is task #${row.number} already (${derivedStatus(view, row)})`, {
    hint: `gza tree ${row.number}`,
  })
}

/** Tasks that are no part of another, by title; of several the last. */
function takenUp({ ws, row }: LedgerView): Map<string, Entry> {
  const rows = entriesWhere(ws.state, row.lid, 'e.parent IS NULL AND e.deleted = 0 ORDER BY e.place')
  return new Map(rows.map((entry) => [entry.title, entry]))
}

/** Ticks the item's box: one byte of the file changes, and no other. */
export function tickTodo(ws: Workspace, number: number, place: TodoPlace): TodoView {
  const todo = openTodo(ws, place)
  const item = itemOf(todo, number)
  if (!item.done) tick(todo, item)
  const ticked = listTodo(ws, place).find((one) => one.number === number)
  return ticked ?? { ...item, done: true, task: null }
}

function tick({ path, name, text }: OpenTodo, item: TodoItem): void {
  // What could not be decoded has another length than its bytes.
  if (text.includes('\uFFFD'))
    throw new UserError('NOT_UTF8', `${name} is not UTF-8 text`, { hint: 'Convert it first, for instance with iconv.' })
  const box = boxIn(text, item.line)
  if (box === null || Buffer.byteLength(box.sign) !== 1)
    throw new UserError('NO_CHECKBOX', `${name} line ${item.line} has no box that could be ticked`, {
      hint: 'Items look like: - [ ] What is to be done',
    })
  const offset = Buffer.byteLength(text.slice(0, box.at)) - 1
  const at = { offset, from: Buffer.from(`[${box.sign}]`), to: Buffer.from('[x]') }
  if (replaceBytes(path, at)) return
  throw new UserError('FILE_CHANGED', `${name} was changed meanwhile`, {
    hint: 'Nothing was ticked. Look again: gza todo',
  })
}

interface OpenTodo {
  path: string
  name: string
  text: string
  items: TodoItem[]
}

function openTodo({ repo }: Workspace, { file, cwd }: TodoPlace): OpenTodo {
  const name = file ?? 'TODO.md'
  if (file === undefined && repo.workTree === null)
    throw new UserError('NO_WORK_TREE', 'A bare repository has no TODO.md', { hint: 'gza todo --file FILE' })
  const path = file === undefined ? join(repo.workTree ?? '', name) : resolve(cwd, file)
  const text = readTextIfThere(path)
  if (text === null)
    throw new UserError('NO_TODO', `There is no ${name}`, {
      hint: 'Write one: - [ ] What is to be done. Or name another: --file FILE',
    })
  return { path, name, text, items: readTodo(text) }
}

function itemOf({ items, name }: OpenTodo, number: number): TodoItem {
  const item = items.find((one) => one.number === number)
  if (item !== undefined) return item
  throw new UserError('NO_SUCH_ITEM', `${name} has no item ${number}`, {
    hint: items.length === 0 ? 'Items look like: - [ ] What is to be done' : `It has 1 to ${items.length}: gza todo`,
  })
}
