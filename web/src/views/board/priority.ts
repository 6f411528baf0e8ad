import { signal } from '@preact/signals'
import { PRIORITIES, type Priority } from '../../../../src/core/task/task.ts'
import type { Card } from '../../api/types.ts'
import { changeSeveral, outcome } from './change-several.ts'
import { selected } from './selection.ts'

/** The cards that are being dragged. */
export const dragged = signal<readonly Card[]>([])

/** A card that is selected takes the other selected ones with it. */
export function drag(card: Card, ready: readonly Card[]): void {
  dragged.value = selected.value.has(card.id) ? ready.filter(({ id }) => selected.value.has(id)) : [card]
}

export function isWelcome(priority: string | null): boolean {
  return dragged.value.some((card) => card.priority !== priority)
}

export async function setPriority(repository: string, cards: readonly Card[], priority: Priority): Promise<void> {
  dragged.value = []
  const others = cards.filter((card) => card.priority !== priority)
  if (others.length === 0) return
  await changeSeveral(repository, others, { change: { kind: 'priority', priority }, words: `Now ${priority}` })
}

/** The priorities that steps lead to, each with the version of the card that is still shown meanwhile. */
const stepped = new Map<string, { version: string; priority: Priority }>()
let lastStep: Promise<void> = Promise.resolve()

/** One step up or down. Keys that are pressed faster than the ledger is written are steps too, one after the other. */
export function stepPriority(repository: string, card: Card, step: -1 | 1): Promise<void> {
  const earlier = stepped.get(card.id)
  const from = earlier?.version === card.version ? earlier.priority : card.priority
  const next = PRIORITIES[PRIORITIES.indexOf(from) + step]
  if (next === undefined) {
    outcome.value = { done: `Already ${from}: #${card.number}`, refused: [] }
    return lastStep
  }
  stepped.set(card.id, { version: card.version, priority: next })
  lastStep = lastStep.then(() => setPriority(repository, [{ ...card, priority: from }], next))
  return lastStep
}
