import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Board, Card } from '../../api/types.ts'
import { useKeys } from '../../parts/keys.ts'
import { stepPriority } from './priority.ts'
import { clear, selected, selectTo, toggle } from './selection.ts'

/** The keys of the board. They are about the card that has the focus. */
export function useBoardKeys(repository: string, board: Board | null, readOnly: boolean): void {
  const columns = Object.values(board?.columns ?? {})
  const find = (id: string | undefined): { card: Card; cards: readonly Card[] } | null => {
    for (const { cards } of columns) for (const card of cards) if (card.id === id) return { card, cards }
    return null
  }
  const keepFocus = useKeptFocus()
  const step = (by: -1 | 1): void => {
    const card = find(focused()?.dataset.id)?.card
    if (card?.column !== 'ready') return
    keepFocus(card.id)
    void stepPriority(repository, card, by)
  }
  const select = (choose: (card: Card, cards: readonly Card[]) => void) => () => {
    const found = find(focused()?.dataset.id)
    if (found !== null) choose(found.card, found.cards)
  }
  const changing = [
    { keys: 'x', words: 'Select the card, or no longer; Escape ends the selection', act: select(toggle) },
    { keys: 'X', words: 'Select all cards up to this one', act: select(selectTo) },
    ...(selected.value.size === 0 ? [] : [{ keys: 'Escape', words: 'End the selection', act: clear }]),
    { keys: '+', words: 'In Ready: raise the priority', act: () => step(-1) },
    { keys: '-', words: 'In Ready: lower the priority', act: () => step(1) },
  ]
  useKeys('Board', [
    { keys: 'h', words: 'To the column on the left', act: () => moveColumn(-1) },
    { keys: 'l', words: 'To the column on the right', act: () => moveColumn(1) },
    ...(readOnly ? [] : changing),
  ])
}

/** A card that moves below another heading is made anew. It gets the focus back, unless the person has gone elsewhere. */
function useKeptFocus(): (id: string) => void {
  const kept = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (kept.current === null || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`.card[data-id="${CSS.escape(kept.current)}"] a`)?.focus()
  })
  useEffect(() => {
    const leave = (): void => {
      kept.current = null
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])
  return (id) => {
    kept.current = id
  }
}

function focused(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('.card[data-id]') ?? null
}

/** To the first card of the next column that has some. */
function moveColumn(by: -1 | 1): void {
  const columns = [...document.querySelectorAll('.columns .column')].filter((each) => each.querySelector('.card'))
  const now = columns.findIndex((column) => column.contains(document.activeElement))
  const next = columns[now === -1 ? 0 : now + by]?.querySelector<HTMLElement>('.card a')
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
