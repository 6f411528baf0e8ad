import { signal } from '@preact/signals'
import { act, Refused } from '../../api/request.ts'
import type { Card, SeveralResult } from '../../api/types.ts'
import { asSeen, settle } from './selection.ts'

/** What became of the last change, in words. It is shown, and read out. */
export interface Outcome {
  done: string
  refused: { name: string; why: string }[]
}

export const outcome = signal<Outcome | null>(null)
export const isBusy = signal(false)

export interface Change {
  kind: 'priority' | 'group' | 'assign' | 'resolve' | 'retry' | 'work'
  [field: string]: unknown
}

/** Does something to some cards as they were seen. `words`: what is then true of them, before their names. */
export async function changeSeveral(
  repository: string,
  cards: readonly Card[],
  { change, words }: { change: Change; words: string },
): Promise<void> {
  isBusy.value = true
  outcome.value = null
  try {
    const tasks = asSeen(cards)
    const { value } = await act<{ value: SeveralResult }>(repository, 'several', { tasks, change })
    outcome.value = inWords(value, cards, words)
    settle(value, cards)
  } catch (thrown) {
    outcome.value = { done: '', refused: [{ name: 'Nothing was done', why: sentenceOf(thrown) }] }
  } finally {
    isBusy.value = false
  }
}

function inWords({ done, refused }: SeveralResult, cards: readonly Card[], words: string): Outcome {
  const names = new Map(cards.map(({ id, number }) => [id, `#${number}`]))
  const nameOf = (ref: string): string => names.get(ref) ?? ref
  return {
    done: done.length === 0 ? '' : `${words}: ${done.map(nameOf).join(', ')}`,
    refused: refused.map(({ ref, message, hint }) => ({
      name: nameOf(ref),
      why: [`${message}.`, hint].filter(Boolean).join(' '),
    })),
  }
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof Refused) return [`${thrown.message}.`, thrown.hint].filter(Boolean).join(' ')
  return 'The server cannot be reached.'
}
