import { command, sentence } from '../../core/sentence.ts'
import { isPartOf } from '../../core/size/parts.ts'
import { missingFrom } from '../../core/size/remake-parts.ts'
import type { Task } from '../../core/task/task.ts'
import { childrenOf } from '../../state/index/family-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

/** A split task is done through its parts: nobody would do what an edit adds only to the whole. */
export function warnOfParts({ ws, row }: LedgerView, whole: Task): void {
  const children = childrenOf(ws.state, row.lid, whole.uid)
  const parts = children
    .flatMap(({ uid }) => taskOf(ws.state, row.lid, uid) ?? [])
    .filter((child) => isPartOf(child, whole))
  const last = parts.at(-1)
  const missing = last === undefined ? [] : missingFrom(parts, whole)
  if (last === undefined || missing.length === 0) return
  const what = missing.map((each) => `'${each}'`).join(', ')
  ws.warnings.push(
    sentence`${whole.key ?? whole.id} is done through its parts, but none of them has ${what}: ${command`edit ${last.key ?? last.id}`}`,
  )
}
