import { COLUMNS, GROUPINGS } from '../../core/drawing/board-columns.ts'
import { type BoardOptions, readBoard } from '../../reports/board/read-board.ts'
import { defineResource } from './resource.ts'

/** `?filter=…&by=milestone&ready=250`: a column's name says how many of its cards are wanted. */
export default defineResource({ path: 'board', read: (ws, { query }) => readBoard(ws, optionsIn(query)) })

const MOST = 5000

function optionsIn(query: URLSearchParams): BoardOptions {
  const most = COLUMNS.flatMap((column) => {
    const count = Number(query.get(column) ?? '')
    return Number.isInteger(count) && count > 0 ? [[column, Math.min(count, MOST)] as const] : []
  })
  const by = GROUPINGS.find((each) => each === query.get('by')) ?? null
  return { filter: query.get('filter') ?? '', by, most: Object.fromEntries(most) }
}
