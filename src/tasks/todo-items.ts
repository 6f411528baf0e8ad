/** TODO.md lists the possible work; the ledger records the work in progress. This file connects the two. */

import { join, relative, resolve } from 'node:path'
import { type ItemRecord, recordOf, type TodoLink } from '../core/backlog/link-todo.ts'
import {
  boxIn,
  type FlowStep,
  mistypedItems,
  readFlowStep,
  readTodo,
  type TodoItem,
} from '../core/backlog/read-todo.ts'
import { command, type Sentence, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { editTask as edit } from '../core/task/operations.ts'
import { isFinished, isOnHold } from '../core/task/status-predicates.ts'
import { refOf, type Task } from '../core/task/task.ts'
import { plural } from '../core/text/plural.ts'
import { UserError } from '../core/user-error.ts'
import { isUtf8File, readTextIfThere, replaceBytes } from '../platform/files/files.ts'
import { refuseForbidden } from '../platform/files/refuse-forbidden.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { checkedContent } from '../workspace/views/field-input.ts'
import { derivedStatus, nameOf } from '../workspace/views/task-status.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskName, TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openBelow } from './checks/refuse-open-children.ts'
import { openTaskFactory } from './task-factory.ts'
import { recordFields, todoLinks } from './todo-links.ts'

export interface TodoPlace {
  file?: string
  cwd: string
}

/** An item of the backlog. The shape is public. */
export interface TodoView extends Omit<TodoItem, 'content'> {
  /** The task that it was taken up as. */
  task: (TaskName & { on_hold: boolean }) | null
  /** Its text at that time, if it was reworded since. */
  was: string | null
  /** Open tasks that it may be, if that is not certain. */
  maybe: TaskName[]
}

export function listTodo(ws: Workspace, place: TodoPlace): TodoView[] {
  const { text, name } = openTodo(ws, place)
  for (const { line, why } of mistypedItems(text)) ws.warnings.push(`${name} line ${line} is not an item: ${why}`)
  return viewItems(ws, place)
}

function viewItems(ws: Workspace, place: TodoPlace): TodoView[] {
  const { items, file } = openTodo(ws, place)
  const view = readLedger(ws)
  const links = todoLinks(view, items, file)
  return items.map((item) => viewItem(view, item, links.get(item.number)))
}

function viewItem(view: LedgerView, { content: _, ...item }: TodoItem, link: TodoLink | undefined): TodoView {
  const nameOfUid = (uid: string) => nameOf(view, entry(view, uid) as Entry)
  if (link === undefined) return { ...item, task: null, was: null, maybe: [] }
  if (link.kind === 'task') {
    const task = { ...nameOfUid(link.uid), on_hold: isOnHold(entry(view, link.uid) as Entry) }
    return { ...item, task, was: link.was, maybe: [] }
  }
  return { ...item, task: null, was: null, maybe: link.uids.map(nameOfUid) }
}

export interface StartOptions extends TodoPlace {
  plan?: string
  project?: string
  /** File it even if it already is, or may be, a task. */
  isNew?: boolean
}

/** Files the item as a task, with the steps of the work as its parts, each after the one before; in one commit. */
export async function startTodo(ws: Workspace, number: number, options: StartOptions): Promise<TaskView[]> {
  const { flow } = (await loadConfiguration(ws)).todo
  const todo = openTodo(ws, options)
  const item = itemOf(todo, number)
  if (item.done)
    throw new UserError('TODO_DONE', `Item ${number} is ticked: ${item.text}`, {
      hint: 'Untick it to start it again.',
    })
  const tasks = changeLedger(ws, (view) => {
    if (!options.isNew) refuseTakenUp(view, item, todoLinks(view, todo.items, todo.file).get(number))
    const made = draftTasks(view, item, { ...options, record: recordIn(todo, item), steps: flow.map(readFlowStep) })
    return { tasks: made, subject: `start ${made[0]?.id} in ${plural(made.length - 1, 'step')}`, result: made }
  })
  warnOfWhole(readLedger(ws), todo, item)
  warnOfOwnParts(readLedger(ws), todo, item)
  return viewChanged(ws, tasks)
}

/** A whole item is taken up with all its text, including its parts. */
function warnOfWhole(view: LedgerView, { items, file }: OpenTodo, item: TodoItem): void {
  const above = items.slice(0, items.indexOf(item)).findLast(({ depth }) => depth < item.depth)
  const link = above === undefined ? undefined : todoLinks(view, items, file).get(above.number)
  const row = link?.kind === 'task' ? entry(view, link.uid) : undefined
  if (above === undefined || row === undefined || isFinished(row)) return
  view.ws.warnings.push(`Item ${item.number} is a part of item ${above.number}, which is already task #${row.number}`)
}

function warnOfOwnParts(view: LedgerView, { items, file }: OpenTodo, item: TodoItem): void {
  const below = items.slice(items.indexOf(item) + 1)
  const end = below.findIndex(({ depth }) => depth <= item.depth)
  const links = todoLinks(view, items, file)
  for (const part of end === -1 ? below : below.slice(0, end)) {
    const link = links.get(part.number)
    const row = link?.kind === 'task' ? entry(view, link.uid) : undefined
    if (row !== undefined && !isFinished(row))
      view.ws.warnings.push(`Item ${part.number} is a part of item ${item.number}, and is already task #${row.number}`)
  }
}

function recordIn({ items, file }: OpenTodo, item: TodoItem): ItemRecord {
  return recordOf(items, items.indexOf(item), file)
}

/** Sets which task an item is, if its words and its place do not decide it. */
export function linkItem(ws: Workspace, number: number, ref: string, place: TodoPlace): TodoView {
  assertAllowed('todo link', ws.actor)
  const todo = openTodo(ws, place)
  const item = itemOf(todo, number)
  changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (task.parent !== undefined)
      throw new UserError('TASK_IS_PART', `#${task.number} is a part of another task`, {
        hint: sentence`An item must be a whole task: ${command`todo link ${number} ID`}`,
      })
    const linked = edit(task, recordFields(recordIn(todo, item)), { at: ws.now(), by: ws.actor.name })
    return { tasks: linked === task ? [] : [linked], subject: `link ${task.id} to ${todo.file}`, result: null }
  })
  return viewItems(ws, place).find((one) => one.number === number) as TodoView
}

function draftTasks(
  view: LedgerView,
  item: TodoItem,
  { plan, project, record, steps }: StartOptions & { record: ItemRecord; steps: readonly FlowStep[] },
): Task[] {
  const create = openTaskFactory(view)
  const shared = {
    ...(plan !== undefined && { plan_file: plan }),
    ...(project !== undefined && { project }),
    ...(item.heading !== null && { group: item.heading }),
  }
  const whole = create({ ...shared, ...recordFields(record), content: checkedContent(item.content) })
  const tasks = [whole]
  for (const { type, title } of steps) {
    const before = tasks.length > 1 ? (tasks.at(-1) as Task) : null
    const content = checkedContent(`${title}\n\nA step of ${whole.id}: ${item.text}`)
    tasks.push(create({ ...shared, content, type, parent: refOf(whole), ...(before && { after: [refOf(before)] }) }))
  }
  return tasks
}

function refuseTakenUp(view: LedgerView, { number }: TodoItem, link: TodoLink | undefined): void {
  if (link === undefined) return
  const another = sentence`if it is another task, ${command`todo start ${number} --new`}`
  if (link.kind === 'unsure') {
    const candidates = link.uids.map((uid) => entry(view, uid) as Entry)
    const names = candidates.map(titled).join(' or ')
    throw new UserError('TODO_UNSURE', `Item ${number} may be ${names}`, {
      hint: sentence`If it is the same, ${command`todo link ${number} ${candidates[0]?.number ?? 'ID'}`}; ${another}`,
    })
  }
  const row = entry(view, link.uid) as Entry
  if (isFinished(row)) return
  const status = link.was === null ? derivedStatus(view, row) : `${derivedStatus(view, row)}; its text was: ${link.was}`
  throw new UserError('TODO_STARTED', `Item ${number} is already task #${row.number} (${status})`, {
    hint: link.was === null ? command`tree ${row.number}` : sentence`${command`tree ${row.number}`}; ${another}`,
  })
}

function titled({ number, title }: Entry): string {
  return `task #${number} (${title})`
}

/** Ticks the item's box: one byte of the file changes, and no other. */
export function tickTodo(ws: Workspace, number: number, place: TodoPlace): TodoView {
  const todo = openTodo(ws, place)
  const item = itemOf(todo, number)
  if (!item.done) tick(todo, item)
  const ticked = viewItems(ws, place).find((one) => one.number === number)
  const { task } = ticked as TodoView
  if (task !== null && !isFinished(task))
    ws.warnings.push(sentence`Task #${task.number} is ${task.status}; ${nextSteps(ws, task)}`)
  return ticked as TodoView
}

/** A task with open parts is done through them. */
function nextSteps(ws: Workspace, { id, number }: TaskName): Sentence {
  const view = readLedger(ws)
  const isWhole = openBelow(view, findTask(view, id).uid).length > 0
  return isWhole
    ? sentence`${command`tree ${number}`} shows what is left of it`
    : sentence`${command`done ${number}`} closes it`
}

function tick({ path, name, text }: OpenTodo, item: TodoItem): void {
  // Text that could not be decoded has another length than its bytes.
  if (!isUtf8File(path))
    throw new UserError('NOT_UTF8', `${name} is not UTF-8 text`, { hint: 'Convert it first, for instance with iconv.' })
  const box = boxIn(text, item.line)
  if (box === null || Buffer.byteLength(box.sign) !== 1)
    throw new UserError('NO_CHECKBOX', `${name} line ${item.line} has no checkbox`, {
      hint: 'Items look like: - [ ] What is to be done',
    })
  const offset = Buffer.byteLength(text.slice(0, box.at)) - 1
  const at = { offset, from: Buffer.from(`[${box.sign}]`), to: Buffer.from('[x]') }
  if (refuseForbidden(name, 'written', () => replaceBytes(path, at))) return
  throw new UserError('FILE_CHANGED', `${name} was changed meanwhile`, {
    hint: sentence`Nothing was ticked. Look again: ${command`todo`}`,
  })
}

interface OpenTodo {
  path: string
  name: string
  /** The name for the ledger: the path from the top of the working tree. */
  file: string
  text: string
  items: TodoItem[]
}

function openTodo({ repo }: Workspace, { file, cwd }: TodoPlace): OpenTodo {
  const name = file ?? 'TODO.md'
  if (file === undefined && repo.workTree === null)
    throw new UserError('NO_WORK_TREE', 'A bare repository has no TODO.md', { hint: command`todo --file FILE` })
  const path = file === undefined ? join(repo.workTree ?? '', name) : resolve(cwd, file)
  const text = refuseForbidden(name, 'read', () => readTextIfThere(path))
  if (text === null)
    throw new UserError('NO_TODO', `There is no ${name}`, {
      hint: 'Write one: - [ ] What is to be done. Or name another: --file FILE',
    })
  const fromTop = repo.workTree === null ? path : relative(repo.workTree, path)
  return { path, name, file: fromTop, text, items: readTodo(text) }
}

function itemOf({ items, name }: OpenTodo, number: number): TodoItem {
  const item = items.find((one) => one.number === number)
  if (item !== undefined) return item
  throw new UserError('NO_SUCH_ITEM', `${name} has no item ${number}`, {
    hint:
      items.length === 0
        ? 'Items look like: - [ ] What is to be done'
        : sentence`It has 1 to ${items.length}: ${command`todo`}`,
  })
}
