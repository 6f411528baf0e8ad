import { type ChecklistItem, readChecklist } from '../../core/backlog/checklist.ts'
import { closeTask } from '../../core/task/operations.ts'
import { refOf, type Task, uidOf } from '../../core/task/task.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import { openTaskFactory } from '../../tasks/task-factory.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { checkedContent } from '../../workspace/views/field-input.ts'
import { containsNoTask, type Draft, type ImportInput } from './import-input.ts'

/** The tasks of a markdown checklist, nested items as children. Tasks that are already in the ledger are left out. */
export function draftChecklist(view: LedgerView, input: ImportInput): Draft {
  const { items, skipped } = readChecklist(input.text, { takesDropped: true })
  if (items.length === 0) throw containsNoTask(input)
  const known = knownTasks(view)
  const draft: Draft = { tasks: [], skipped: [...skipped] }
  const create = openTaskFactory(view)
  const work = items.map((item) => ({ item, parent: undefined as Task | undefined }))
  for (let at = 0; at < work.length; at++) {
    const { item, parent } = work[at] as (typeof work)[number]
    const found = takeKnown(known, keyOf(contentOf(item), parent?.uid))
    if (found) draft.skipped.push({ line: item.line, why: `already exists as ${found.id}` })
    const task = found ?? draftItem(view, create, item, parent)
    if (!found) draft.tasks.push(task)
    work.splice(at + 1, 0, ...item.children.map((child) => ({ item: child, parent: task })))
  }
  return draft
}

function draftItem(
  view: LedgerView,
  create: ReturnType<typeof openTaskFactory>,
  item: ChecklistItem,
  parent: Task | undefined,
): Task {
  const group = item.group ?? parent?.group
  const task = create({
    content: contentOf(item),
    ...(group !== undefined && { group }),
    ...(parent && { parent: refOf(parent) }),
  })
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  if (!item.done && !item.dropped) return task
  return closeTask(task, item.dropped ? 'skipped' : 'completed', now, { head: null, branch: null, commits: [] })
}

function contentOf(item: ChecklistItem): string {
  return checkedContent(item.notes === undefined ? item.text : `${item.text}\n\n${item.notes}`)
}

function keyOf(content: string, parent: string | undefined): string {
  return `${parent ?? ''} ${content}`
}

/** Each known task matches one item: a list may contain the same text twice. */
function takeKnown(known: Map<string, Task[]>, key: string): Task | undefined {
  return known.get(key)?.shift()
}

function knownTasks(view: LedgerView): Map<string, Task[]> {
  const known = new Map<string, Task[]>()
  for (const task of tasksInOrder(view.ws.state, view.row.lid)) {
    if (task.deleted) continue
    const key = keyOf(task.content, task.parent && uidOf(task.parent))
    known.set(key, [...(known.get(key) ?? []), task])
  }
  return known
}
