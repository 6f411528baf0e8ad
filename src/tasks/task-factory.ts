import { type Authorship, createTask, type NewTask } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { readHead } from '../platform/git/refs.ts'
import { hasId, type LedgerView } from '../workspace/ledger/ledger-view.ts'

export type TaskFactory = (fields: NewTask, authorship?: Authorship) => Task

/** Makes tasks for one change: each gets the next number and an id that neither the ledger nor its siblings have. */
export function openTaskFactory(view: LedgerView): TaskFactory {
  const { ws, row } = view
  const given = new Set<string>()
  const { oid } = readHead(ws.repo)
  const head = oid === ws.repo.zeroOid ? null : oid
  const now = { at: ws.now(), by: ws.actor.name }
  return (fields, authorship = now) => {
    const task = createTask(fields, authorship, {
      number: row.last_number + given.size + 1,
      taskCount: row.tasks + given.size,
      isIdTaken: (id) => given.has(id) || hasId(view, id),
      salt: ws.random(16),
      head,
    })
    given.add(task.id)
    return task
  }
}
