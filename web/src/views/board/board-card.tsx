import type { TargetedMouseEvent } from 'preact'
import type { Card } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { Ago, Elapsed } from '../../parts/time.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { pathTo } from '../../route.ts'
import { drag, dragged } from './priority.ts'
import { hasChangedSince, selected, selectTo, toggle } from './selection.ts'

interface Props {
  repository: string
  card: Card
  /** All cards of its column that are shown, in their order. */
  cards: readonly Card[]
  readOnly: boolean
  isDraggable: boolean
}

export function BoardCard({ repository, card, cards, readOnly, isDraggable }: Props) {
  const { id, number, key, title, why, blocked_by } = card
  const isSelected = selected.value.has(id)
  const isDragged = dragged.value.some((each) => each.id === id)
  const select = ({ shiftKey, currentTarget: box }: TargetedMouseEvent<HTMLInputElement>): void => {
    if (shiftKey) selectTo(card, cards)
    else toggle(card)
    // The browser has changed it by itself. A range only adds.
    box.checked = selected.value.has(id)
  }
  return (
    <li
      class={`card${isSelected ? ' selected' : ''}${isDragged ? ' dragged' : ''}`}
      data-row
      data-id={id}
      draggable={isDraggable}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', `#${number}`)
        drag(card, cards)
      }}
      onDragEnd={() => (dragged.value = [])}
    >
      <div class="card-top">
        <Link to={pathTo(repository, 'task', number)} class="task-link">
          <span class="number">#{number}</span>
          {key !== null && <span class="key">{key}</span>}
          <span class="title">{visibleText(title)}</span>
        </Link>
        {!readOnly && <input type="checkbox" checked={isSelected} aria-label={`Select #${number}`} onClick={select} />}
      </div>
      {hasChangedSince(card) && <p class="why changed">Changed since you selected it</p>}
      {why !== null && <p class="why">{visibleText(why)}</p>}
      {blocked_by.length > 0 && <Blockers repository={repository} blockers={blocked_by} />}
      <Facts card={card} />
    </li>
  )
}

function Facts({ card }: { card: Card }) {
  const { agent, phase, started_at, closed_at, attempts, priority, on_hold, section } = card
  return (
    <p class="facts">
      {priority !== 'medium' && section !== priority && (
        <span>
          <span class={`dot dot-${priority}`} />
          {priority}
        </span>
      )}
      {on_hold && <span>on hold</span>}
      {agent !== null && <span class="agent">{agent}</span>}
      {phase !== null && <span>{phase}</span>}
      {started_at !== null && <Elapsed since={started_at} />}
      {attempts > 0 && <span>attempt {attempts}</span>}
      {attempts > 0 && <span>{costOf(card)}</span>}
      {closed_at !== null && <Ago at={closed_at} />}
    </p>
  )
}

function costOf({ cost_usd, is_cost_partial }: Card): string {
  if (cost_usd === null) return 'cost unknown'
  return `${is_cost_partial ? 'at least ' : ''}$${cost_usd.toFixed(2)}`
}

/** More than these make a card longer than it is worth. */
const MOST_BLOCKERS = 6

function Blockers({ repository, blockers }: { repository: string; blockers: Card['blocked_by'] }) {
  const left = blockers.length - MOST_BLOCKERS
  return (
    <p class="facts blockers">
      <span>waits for</span>
      {blockers.slice(0, MOST_BLOCKERS).map(({ id, number, title }) => (
        <Link key={id} to={pathTo(repository, 'task', number)} label={`#${number} ${title}`}>
          #{number}
        </Link>
      ))}
      {left > 0 && <span>and {left} more</span>}
    </p>
  )
}
