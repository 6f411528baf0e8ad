/** Which tasks are offered to the workers next. */
import type { Task } from '../task/task.ts'
import { nextSeq } from './fence.ts'

/** An offer is taken by one worker. It names no agent and no machine. */
export interface Offer {
  uid: string
  generation: number
  seq: number
}

export interface OfferGround {
  /** The tasks that may start, in the order in which they should. */
  ready: Iterable<Task>
  /** The uids of tasks that are offered or being worked on. */
  outstanding: ReadonlySet<string>
  /** How many of these nobody has taken yet. */
  waiting: number
  /** Of the living workers: how many more runs they could start now, and how many runs they have. */
  slots: { free: number; busy: number }
  /** The uids of tasks that must not start yet. */
  paused: ReadonlySet<string>
}

/**
 * Two for each free slot and one for each busy one: a slot that becomes free finds the next offer without waiting. Not
 * more: what becomes urgent meanwhile should not wait behind them.
 */
export function mostOffers({ free, busy }: OfferGround['slots']): number {
  return 2 * free + busy
}

export function chooseOffers({ ready, outstanding, waiting, slots, paused }: OfferGround): Offer[] {
  const offers: Offer[] = []
  const most = mostOffers(slots) - waiting
  if (most <= 0) return offers
  for (const task of ready) {
    if (outstanding.has(task.uid) || paused.has(task.uid)) continue
    offers.push({ uid: task.uid, generation: task.generation, seq: nextSeq(task) })
    if (offers.length === most) break
  }
  return offers
}
