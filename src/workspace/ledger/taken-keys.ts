import { command, sentence } from '../../core/sentence.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { entriesWithSharedKey, undeletedWithKey } from '../../state/index/find-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import type { LedgerView } from './ledger-view.ts'

/** Other tasks with the key of this one, ignoring case. A join may bring some. */
export function othersWithKey({ ws, row }: LedgerView, { uid, key }: { uid: string; key?: string | null }): Entry[] {
  if (key == null) return []
  return undeletedWithKey(ws.state, row.lid, key).filter((other) => other.uid !== uid)
}

export function nameOwner({ number, id, title }: Entry): string {
  return `#${number} (${id}): ${briefText(title)}`
}

/** If two tasks had one key, neither could be named by it. */
export function refuseTakenKey(view: LedgerView, task: { uid: string; key?: string | null }): void {
  const [other] = othersWithKey(view, task)
  if (other === undefined) return
  throw new UserError('KEY_TAKEN', `The key ${briefText(task.key ?? '')} belongs to ${nameOwner(other)}`, {
    hint: sentence`Nothing was changed. Choose another key, or change the other one first: ${command`edit ${other.number} --key NEW`}`,
  })
}

/** Keys that several tasks have, each with those tasks. */
export function sharedKeys({ ws, row }: LedgerView): [key: string, tasks: Entry[]][] {
  const rows = Map.groupBy(entriesWithSharedKey(ws.state, row.lid), ({ key }) => (key ?? '').toLowerCase())
  return [...rows.values()].map((tasks) => [tasks[0]?.key ?? '', tasks])
}
