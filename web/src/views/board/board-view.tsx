import { useEffect } from 'preact/hooks'
import { COLUMNS, GROUPINGS, type Grouping } from '../../../../src/core/drawing/board-columns.ts'
import { useResource } from '../../api/resource.ts'
import type { Board, FormChoices } from '../../api/types.ts'
import { Empty, Loading, Problem } from '../../parts/states.tsx'
import { go, pathWith } from '../../route.ts'
import { BoardColumn } from './board-column.tsx'
import { outcome } from './change-several.ts'
import { FilterLine } from './filter-line.tsx'
import { clear } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useBoard } from './use-board.ts'
import { useBoardKeys } from './use-board-keys.ts'

interface Props {
  repository: string
  readOnly: boolean
}

/** Another repository is another board. */
export function BoardView(props: Props) {
  return <BoardOf key={props.repository} {...props} />
}

function BoardOf({ repository, readOnly }: Props) {
  const { board, filter, by, mistake, error, isReading, showMore } = useBoard(repository)
  const choices = useResource<FormChoices>(repository, 'choices').value.value
  useBoardKeys(repository, board, readOnly)
  useEffect(() => endSelection, [])
  return (
    <section class="board">
      <div class="bar">
        <h1>Board</h1>
        <FilterLine
          {...{ filter, mistake }}
          remark={board === null ? '' : nothingFound(board)}
          views={choices?.views ?? []}
        />
        <GroupBy by={by} />
      </div>
      {error && <Problem error={error} />}
      {board === null && isReading && <Loading />}
      {board !== null && isEmpty(board) && <NoTasks />}
      {board !== null && !isEmpty(board) && (
        <div class="columns" aria-busy={isReading}>
          {COLUMNS.map((column) => (
            <BoardColumn
              key={column}
              {...{ repository, readOnly, column, showMore }}
              by={board.by}
              shown={board.columns[column]}
              isFiltered={board.isFiltered}
            />
          ))}
        </div>
      )}
      {!readOnly && board !== null && choices !== null && <SelectionBar {...{ repository, board, choices }} />}
    </section>
  )
}

function endSelection(): void {
  clear()
  outcome.value = null
}

function isEmpty({ columns }: Board): boolean {
  return Object.values(columns).every(({ total }) => total === 0)
}

function GroupBy({ by }: { by: Grouping | null }) {
  return (
    <label class="group-by">
      Group by
      <select
        value={by ?? ''}
        onChange={(event) => go(pathWith({ by: event.currentTarget.value }), { keepFocus: true })}
      >
        <option value="">nothing</option>
        {GROUPINGS.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}

function nothingFound({ columns, isFiltered, unknown }: Board): string {
  if (!isFiltered || Object.values(columns).some(({ count }) => count > 0)) return ''
  const asText = unknown.map((name) => ` '${name}:' is not a field, so it was searched for as text.`)
  return `No task matches.${asText.join('')}`
}

function NoTasks() {
  return (
    <Empty title="There are no tasks yet">
      <p>
        File the first one in a terminal: <code>gza add "…"</code>
      </p>
    </Empty>
  )
}
