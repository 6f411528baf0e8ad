import { commandLine } from '../core/sentence.ts'
import { type FiledIn, heldFiling } from '../core/task/filed-in.ts'
import { plural } from '../core/text/plural.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { openOnHold } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { nameOf } from '../workspace/views/task-status.ts'
import type { InboxItem } from './inbox-item.ts'

/** What agents filed beyond the limits of their runs: one item for each run and limit, however many tasks there are. */
export function heldFilings(view: LedgerView): { items: InboxItem[]; ids: Set<string> } {
  const { ws, row } = view
  const filings = new Map<string, { filed: FiledIn; rows: Entry[] }>()
  for (const uid of openOnHold(ws.state, row.lid)) {
    const task = taskOf(ws.state, row.lid, uid)
    const filed = task === null ? null : heldFiling(task)
    const found = entry(view, uid)
    if (filed === null || found === undefined) continue
    const key = `${filed.run} ${filed.held}`
    filings.set(key, { filed, rows: [...(filings.get(key)?.rows ?? []), found] })
  }
  const all = [...filings.values()]
  return {
    items: all.map(({ filed, rows }) => itemOf(view, filed, rows)),
    ids: new Set(all.flatMap(({ rows }) => rows.map(({ id }) => id))),
  }
}

const MOST_NAMED = 20

function itemOf(view: LedgerView, filed: FiledIn, unsorted: readonly Entry[]): InboxItem {
  const rows = unsorted.toSorted((a, b) => a.number - b.number)
  const [first] = rows as [Entry]
  const of = filed.task === null ? undefined : entry(view, filed.task)
  const run = of === undefined ? `run ${filed.run}` : `a run of #${of.number}`
  const tasks = plural(rows.length, 'task')
  const numbers = rows.slice(0, MOST_NAMED).map(({ number }) => number)
  const more = rows.length > numbers.length ? ` and ${rows.length - numbers.length} more` : ''
  const beyond = filed.held === 'TASKS_TOO_DEEP' ? `${filed.depth} levels deep` : 'beyond its limit'
  return {
    task: nameOf(view, first),
    code: filed.held ?? 'ON_HOLD',
    detail: `${run} filed ${tasks} ${beyond}, on hold: ${numbers.map((number) => `#${number}`).join(' ')}${more}`,
    commands: [commandLine`resolve ${first.number} --resume`, commandLine`delete ${numbers}`],
  }
}
