import { signal } from '@preact/signals'
import type { Card, SeveralResult } from '../../api/types.ts'

/** The selected cards by id, each with the version that the person saw. Null: as it is shown when something is done. */
export const selected = signal<ReadonlyMap<string, string | null>>(new Map())

/** What this page has changed, by id, until the newer version is read. */
const outdated = new Map<string, { before: string; after: string }>()

/** A person who has just changed a task means the result, also while its card still shows what was before. */
function versionSeen({ id, version }: Card): string {
  const change = outdated.get(id)
  return change?.before === version ? change.after : version
}

/** The card from which a range begins. */
let anchor: string | null = null

export function toggle(card: Card): void {
  anchor = card.id
  const next = new Map(selected.value)
  if (!next.delete(card.id)) next.set(card.id, versionSeen(card))
  selected.value = next
}

/** Selects all cards from the one that was selected last to this one. */
export function selectTo(card: Card, cards: readonly Card[]): void {
  const [from, to] = [cards.findIndex(({ id }) => id === anchor), cards.findIndex(({ id }) => id === card.id)]
  anchor ??= card.id
  const range = from < 0 ? [card] : cards.slice(Math.min(from, to), Math.max(from, to) + 1)
  const next = new Map(selected.value)
  for (const each of range) if (!next.has(each.id)) next.set(each.id, versionSeen(each))
  selected.value = next
}

export function clear(): void {
  anchor = null
  if (selected.value.size > 0) selected.value = new Map()
}

/** What was done is no longer selected. What was refused stays, as it is now. */
export function settle({ done, versions, refused }: SeveralResult, cards: readonly Card[]): void {
  const next = new Map(selected.value)
  for (const { id, version } of cards)
    if (versions[id] !== undefined) outdated.set(id, { before: version, after: versions[id] })
  for (const id of done) next.delete(id)
  for (const { ref } of refused) if (next.has(ref)) next.set(ref, null)
  selected.value = next
}

/** What the person saw of these cards. */
export function asSeen(cards: readonly Card[]): { ref: string; version: string }[] {
  return cards.map((card) => ({ ref: card.id, version: selected.value.get(card.id) ?? versionSeen(card) }))
}

export function hasChangedSince(card: Card): boolean {
  const seen = selected.value.get(card.id)
  return seen !== undefined && seen !== null && seen !== versionSeen(card)
}
