import { useState } from 'preact/hooks'
import type { Column, Grouping } from '../../../../src/core/drawing/board-columns.ts'
import { PRIORITIES } from '../../../../src/core/task/task.ts'
import type { BoardColumn as Shown } from '../../api/types.ts'
import { BoardCard } from './board-card.tsx'
import { dragged, isWelcome, setPriority } from './priority.ts'

export const TITLES: Record<Column, string> = {
  ready: 'Ready',
  blocked: 'Blocked',
  running: 'Running',
  needs_you: 'Needs you',
  in_review: 'In review',
  to_land: 'To land',
  landed: 'Landed',
  failed: 'Failed',
}

interface Props {
  repository: string
  readOnly: boolean
  column: Column
  shown: Shown
  by: Grouping | null
  isFiltered: boolean
  showMore(column: Column): void
}

export function BoardColumn(props: Props) {
  const { column, shown, by, isFiltered, showMore } = props
  const { total, count, sections, cards } = shown
  return (
    <section class={`column column-${column}${total === 0 ? ' nothing' : ''}`} aria-label={TITLES[column]}>
      <h2>
        {TITLES[column]} <span class="count">{isFiltered && total > 0 ? `${count} of ${total}` : total}</span>
      </h2>
      {sections.length === 0 ? (
        <Cards {...props} cards={cards} />
      ) : (
        sections.map(({ name, count: inside }) => (
          <BoardSection key={name ?? ''} {...props} name={name} count={inside} title={titleOf(name, by)} />
        ))
      )}
      {count > cards.length && (
        <button type="button" class="quiet more" onClick={() => showMore(column)}>
          Show more ({count - cards.length})
        </button>
      )}
    </section>
  )
}

function titleOf(name: string | null, by: Grouping | null): string {
  if (by === null) return `${name}`.replace(/^./, (letter) => letter.toUpperCase())
  return name ?? `No ${by}`
}

type SectionProps = Props & { name: string | null; count: number; title: string }

/** In Ready without a grouping it is a priority: cards can be dropped on it. */
function BoardSection({ name, count, title, ...props }: SectionProps) {
  const { repository, readOnly, by, shown } = props
  const [isOver, setOver] = useState(false)
  const priority = by === null && !readOnly ? PRIORITIES.find((each) => each === name) : undefined
  const isTarget = priority !== undefined && isWelcome(priority)
  const enter = (event: DragEvent): void => {
    if (!isTarget) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    if (priority !== undefined) void setPriority(repository, dragged.value, priority)
  }
  return (
    <section
      class={`band${isTarget ? ' target' : ''}${isTarget && isOver ? ' over' : ''}`}
      aria-label={title}
      onDragEnter={enter}
      onDragOver={enter}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h3>
        {by === null && <span class={`dot dot-${name}`} />}
        {title} <span class="count">{count}</span>
      </h3>
      <Cards {...props} cards={shown.cards.filter(({ section }) => section === name)} />
    </section>
  )
}

function Cards({ repository, readOnly, column, by, shown, cards }: Props & { cards: Shown['cards'] }) {
  const isDraggable = column === 'ready' && by === null && !readOnly
  return (
    <ul>
      {cards.map((card) => (
        <BoardCard key={card.id} {...{ repository, readOnly, card, isDraggable }} cards={shown.cards} />
      ))}
    </ul>
  )
}
