import { command, sentence } from '../../core/sentence.ts'
import { oneLine } from '../../core/task/resolve-ref.ts'
import { UserError } from '../../core/user-error.ts'
import { type Entry, entriesWhere } from '../../state/index/find-entries.ts'
import type { LedgerView } from './ledger-view.ts'

/** Other tasks by the key of this one, upper and lower case taken as equal. A join may bring some. */
export function othersWithKey({ ws, row }: LedgerView, { uid, key }: { uid: string; key?: string | null }): Entry[] {
  if (key == null) return []
  const same = 'e.key = ? COLLATE NOCASE AND e.uid <> ? AND e.deleted = 0 ORDER BY e.place'
  return entriesWhere(ws.state, row.lid, same, key, uid)
}

export function nameOwner({ number, id, title }: Entry): string {
  return `#${number} (${id}): ${oneLine(title)}`
}

/** Two tasks with one key could both be named by it no more. */
export function refuseTakenKey(view: LedgerView, task: { uid: string; key?: string | null }): void {
  const [other] = othersWithKey(view, task)
  if (other === undefined) return
  throw new UserError('KEY_TAKEN', `The key ${oneLine(task.key ?? '')} belongs to ${nameOwner(other)}`, {
    hint: sentence`Nothing was changed. Choose another key, or give that one away first: ${command`edit ${other.number} --key NEW`}`,
  })
}

/** Keys that several tasks have, each with those tasks. */
export function sharedKeys({ ws, row }: LedgerView): [key: string, tasks: Entry[]][] {
  const shared = `e.deleted = 0 AND e.key COLLATE NOCASE IN (
    SELECT key COLLATE NOCASE FROM entries WHERE lid = e.lid AND key IS NOT NULL AND deleted = 0
    GROUP BY key COLLATE NOCASE HAVING count(*) > 1) ORDER BY e.place`
  const rows = Map.groupBy(entriesWhere(ws.state, row.lid, shared), ({ key }) => (key ?? '').toLowerCase())
  return [...rows.values()].map((tasks) => [tasks[0]?.key ?? '', tasks])
}
