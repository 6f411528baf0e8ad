import { type ItemRecord, linkTodo, type TakenUp, type TodoLink } from '../core/backlog/link-todo.ts'
import type { TodoItem } from '../core/backlog/read-todo.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import { wholeEntries, wholeEntriesFromBacklog } from '../state/index/family-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'

/** Which items of this file are which tasks of the ledger, by the number of the item. */
export function todoLinks(view: LedgerView, items: readonly TodoItem[], file: string): Map<number, TodoLink> {
  return linkTodo(
    items,
    takenUp(view).filter(({ record }) => record === null || record.file === file),
  )
}

export function recordFields({ file, heading, before, after, text }: ItemRecord): { todo_item: string[] } {
  return { todo_item: [file, heading, before, after, text] }
}

function takenUp(view: LedgerView): TakenUp[] {
  const { ws, row } = view
  const records = new Map(wholeEntriesFromBacklog(ws.state, row.lid).map(({ uid }) => [uid, recordIn(view, uid)]))
  return wholeEntries(ws.state, row.lid).map((entry) => ({
    uid: entry.uid,
    title: entry.title,
    group: entry.grp,
    isOpen: !isFinished(entry),
    record: records.get(entry.uid) ?? null,
  }))
}

function recordIn({ ws, row }: LedgerView, uid: string): ItemRecord | null {
  const [file, heading = '', before = '', after = '', text] = taskOf(ws.state, row.lid, uid)?.todo_item ?? []
  return file === undefined || text === undefined ? null : { file, heading, before, after, text }
}
