import { isOpen } from '../../core/task/status-predicates.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { liveRows } from '../views/list-tasks.ts'
import { nameOf } from '../views/task-status.ts'
import type { TaskName } from '../views/views.ts'
import type { Workspace } from '../workspace.ts'

export interface NamedTask extends TaskName {
  key: string | null
}

/**
 * Tasks by the beginning of their number, id or key, or by the words of their title: open ones first, then the newest.
 * Without a text, the newest open ones.
 */
export function findByName(ws: Workspace, text: string, limit: number): NamedTask[] {
  const view = readLedger(ws)
  const wanted = text.trim().toLowerCase()
  const found = liveRows(view).filter((row) => (wanted === '' ? isOpen(row) : isNamed(row, wanted)))
  const rank = (row: Entry): number => (startsLike(row, wanted) ? 2 : 0) + (isOpen(row) ? 1 : 0)
  return found
    .sort((a, b) => rank(b) - rank(a) || b.number - a.number)
    .slice(0, limit)
    .map((row) => ({ ...nameOf(view, row), key: row.key }))
}

function isNamed(row: Entry, wanted: string): boolean {
  if (startsLike(row, wanted)) return true
  const title = row.title.toLowerCase()
  return wanted.split(/\s+/).every((word) => title.includes(word))
}

function startsLike({ number, id, key }: Entry, wanted: string): boolean {
  if (wanted === '') return false
  const names = [`${number}`, `#${number}`, id, ...(key === null ? [] : [key.toLowerCase()])]
  return names.some((name) => name.startsWith(wanted))
}
