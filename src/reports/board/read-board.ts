import { COLUMNS, type Column, FIRST_CARDS, type Grouping } from '../../core/drawing/board-columns.ts'
import { unknownFields } from '../../core/filter/filter.ts'
import { readFlagLine } from '../../core/filter/flag-line.ts'
import { entriesToStart } from '../../state/index/filtered-entries.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { rowsFor } from '../../workspace/search/filtered-rows.ts'
import { withSavedView } from '../../workspace/search/saved-views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readFacts } from './board-facts.ts'
import { type Card, cardsOf } from './card.ts'
import { placeTasks, type Section, sectionsOf } from './place-tasks.ts'

export interface BoardOptions {
  /** Words as `gza search` takes them, and flags of `gza list`. */
  filter?: string
  by?: Grouping | null
  /** How many cards of a column are wanted, if it is not the usual number. */
  most?: Partial<Record<Column, number>>
}

export interface Board {
  ledger: string
  columns: Record<Column, BoardColumn>
  isFiltered: boolean
  /** What the headings in its columns are; null: there are only priorities, in Ready. */
  by: Grouping | null
  /** What looks like a field in the filter and is none: it was searched for as text. */
  unknown: string[]
}

export interface BoardColumn {
  /** How many tasks are in it. */
  total: number
  /** How many of them the filter lets through. */
  count: number
  sections: Section[]
  /** The first of them. */
  cards: Card[]
}

/** However many tasks there are, only those that are shown are read as a whole. */
export async function readBoard(ws: Workspace, { filter = '', by = null, most = {} }: BoardOptions = {}) {
  const view = readLedger(ws)
  const wanted = await readFilter(view, filter)
  const facts = await readFacts(view)
  const rows = entriesToStart(ws.state, view.row.lid, { archived: wanted.all })
  const placed = Map.groupBy(placeTasks(view, rows, { facts, by }), ({ column }) => column)
  const columns = COLUMNS.map((column): [Column, BoardColumn] => {
    const all = placed.get(column) ?? []
    const found = wanted.uids === null ? all : all.filter(({ row }) => wanted.uids?.has(row.uid))
    const cards = cardsOf(view, found.slice(0, most[column] ?? FIRST_CARDS), facts)
    return [column, { total: all.length, count: found.length, sections: sectionsOf(found, column, by), cards }]
  })
  const board: Board = {
    ledger: ws.ledger,
    columns: Object.fromEntries(columns) as Board['columns'],
    isFiltered: wanted.uids !== null,
    by,
    unknown: wanted.unknown,
  }
  return board
}

interface Wanted {
  /** Null: every task. */
  uids: ReadonlySet<string> | null
  all: boolean
  unknown: string[]
}

/** The board has finished tasks too, so that a filter without a status lets them through. */
async function readFilter(view: LedgerView, line: string): Promise<Wanted> {
  const { all, ...given } = readFlagLine(line)
  const rowsOf = rowsFor(await withSavedView(view.ws, given), { all: true })
  const uids = rowsOf === null ? null : new Set(rowsOf(view).map(({ uid }) => uid))
  return { uids, all, unknown: unknownFields(given.text ?? '') }
}
