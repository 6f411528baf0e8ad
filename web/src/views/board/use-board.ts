import { useRef, useState } from 'preact/hooks'
import { type Column, FIRST_CARDS, GROUPINGS, type Grouping } from '../../../../src/core/drawing/board-columns.ts'
import type { Refused } from '../../api/request.ts'
import { useResource } from '../../api/resource.ts'
import type { Board } from '../../api/types.ts'
import { route } from '../../route.ts'

export interface ShownBoard {
  /** What was read last without a mistake; null: nothing yet. */
  board: Board | null
  filter: string
  by: Grouping | null
  /** What the server says about the filter. */
  mistake: Refused | null
  /** Any other reason why nothing newer is shown. */
  error: Refused | null
  isReading: boolean
  showMore(column: Column): void
}

/** The board as the address asks for it. A mistake in the filter leaves what is shown. */
export function useBoard(repository: string): ShownBoard {
  const { query } = route.value
  const filter = query.get('filter') ?? ''
  const by = GROUPINGS.find((each) => each === query.get('by')) ?? null
  const [most, setMost] = useState<Partial<Record<Column, number>>>({})
  const { value, error, isReading } = useResource<Board>(repository, pathOf(filter, by, most)).value
  const last = useRef<Board | null>(null)
  if (value !== null) last.current = value
  const isMistake = filter !== '' && error !== null && error.code !== 'UNREACHABLE'
  return {
    ...{ board: last.current, filter, by, isReading },
    mistake: isMistake ? error : null,
    error: isMistake ? null : error,
    showMore: (column) => setMost({ ...most, [column]: (most[column] ?? FIRST_CARDS) + 4 * FIRST_CARDS }),
  }
}

function pathOf(filter: string, by: Grouping | null, most: Partial<Record<Column, number>>): string {
  const query = new URLSearchParams({ ...(filter !== '' && { filter }), ...(by !== null && { by }) })
  for (const [column, count] of Object.entries(most)) query.set(column, String(count))
  return query.size === 0 ? 'board' : `board?${query}`
}
