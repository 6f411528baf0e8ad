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
  /** How many more runs the living workers could start now. */
  freeSlots: number
  /** The uids of tasks that must not start yet. */
  paused: ReadonlySet<string>
}

/** So many offers for each free slot: a worker that becomes free finds the next one without waiting. */
const AHEAD = 2

export function chooseOffers({ ready, outstanding, waiting, freeSlots, paused }: OfferGround): Offer[] {
  const offers: Offer[] = []
  const most = AHEAD * freeSlots - waiting
  if (most <= 0) return offers
  for (const task of ready) {
    if (outstanding.has(task.uid) || paused.has(task.uid)) continue
    offers.push({ uid: task.uid, generation: task.generation, seq: nextSeq(task) })
    if (offers.length === most) break
  }
  return offers
}
