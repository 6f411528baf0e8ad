/**
 * Builds a batch of branches on the base, one on top of the other, and finds out how many of them may land. Only a
 * conflict with landed work counts. A branch that conflicts with another one of the batch is tried again after that one
 * has landed or was refused.
 */
import type { BoxAdvice } from '../../core/isolation/box-advice.ts'
import { nextCheck, redRange } from '../../core/landing/next-check.ts'
import { applyBranch } from './apply-branch.ts'
import type { LandOrder } from './land-order.ts'
import type { LandPlace } from './land-place.ts'
import { rebaseBranch } from './rebase-branch.ts'

export interface LandedBranch {
  order: LandOrder
  /** The tip of the batch with this branch included. */
  tip: string
  commits: string[]
  /** The tip of the rebased branch, if it could only land by a rebase. */
  rebased?: string
}

export interface Refusal {
  order: LandOrder
  outcome: 'conflict' | 'red'
  detail: string
  /** The commit that it was tried on. */
  onto: string
}

export interface BatchResult {
  landed: LandedBranch[]
  refused: Refusal[]
  /** Why nothing more can land now. */
  stopped: StoppedLanding | null
}

export interface StoppedLanding {
  code: 'BASE_RED' | 'CANCELLED'
  detail: string
  /** The base fails only in a box. */
  in_box: BoxAdvice | null
}

export interface Batch {
  start: string
  orders: readonly LandOrder[]
  /**
   * Checks the commit out, with these branches on the start, and verifies its tree: null if it is green. `suspects`: a
   * larger batch was red because of one of them.
   */
  verify: (commit: string, branches: readonly LandOrder[], suspects: readonly LandOrder[]) => Promise<RedTree | null>
  isStartGreen: boolean
  /** Called when the batch is built, and each time a tree was verified. */
  passed: (step: 'land-built' | 'land-verified') => void
}

export interface RedTree {
  detail: string
  isCancelled: boolean
  /** Of a base: it fails only in a box. */
  inBox?: BoxAdvice
  /** Of a base: it fails without a box too. */
  failedOutside?: true
}

/** `place` has the start checked out. */
export async function landBatch(place: LandPlace, batch: Batch): Promise<BatchResult> {
  const { row, refused } = buildRow(place, batch)
  batch.passed('land-built')
  return row.length === 0 ? { landed: [], refused, stopped: null } : verifyRow(batch, { row, refused })
}

interface Row {
  row: LandedBranch[]
  refused: Refusal[]
}

function buildRow(place: LandPlace, { start, orders }: Batch): Row {
  const row: LandedBranch[] = []
  const left = new Set<string>()
  const refused: Refusal[] = []
  for (const order of orders) {
    const tip = row.at(-1)?.tip ?? start
    const applied = order.needs.some((branch) => left.has(branch)) ? null : applyBranch(place, order, tip)
    if (applied?.kind === 'applied') {
      row.push({ order, tip: applied.tip, commits: applied.commits })
      continue
    }
    const rebased = applied === null || row.length > 0 ? null : rebaseBranch(place, order, tip)
    if (rebased !== null) {
      const { tip, commits } = rebased
      row.push({ order, tip, commits, rebased: rebased.rebased })
      continue
    }
    left.add(order.branch)
    if (applied !== null && row.length === 0)
      refused.push({ order, outcome: 'conflict', detail: applied.detail, onto: start })
  }
  return { row, refused }
}

function ordersOf(row: readonly LandedBranch[], length: number): LandOrder[] {
  return row.slice(0, length).map(({ order }) => order)
}

async function verifyRow(batch: Batch, { row, refused }: Row): Promise<BatchResult> {
  const reds = new Map<number, RedTree>()
  const verified = new Map<number, boolean>(batch.isStartGreen ? [[0, true]] : [])
  const tipAt = (length: number) => row[length - 1]?.tip ?? batch.start
  for (;;) {
    const check = nextCheck(row.length, verified)
    switch (check.kind) {
      case 'verify': {
        const { from, to } = redRange(verified)
        const suspects = row.slice(from, to).map(({ order }) => order)
        const red = await batch.verify(tipAt(check.length), ordersOf(row, check.length), suspects)
        if (red?.isCancelled)
          return { landed: [], refused: [], stopped: { code: 'CANCELLED', detail: red.detail, in_box: null } }
        if (red !== null) reds.set(check.length, red)
        verified.set(check.length, red === null)
        batch.passed('land-verified')
        break
      }
      case 'land':
        return { landed: row, refused, stopped: null }
      case 'failing': {
        const { order } = row[check.index] as LandedBranch
        const detail = reds.get(check.index + 1)?.detail ?? ''
        const culprit: Refusal = { order, outcome: 'red', detail, onto: tipAt(check.index) }
        return { landed: row.slice(0, check.index), refused: [...refused, culprit], stopped: null }
      }
      case 'base-red':
        return { landed: [], refused, stopped: baseRed(reds.get(0)) }
      default:
        return check satisfies never
    }
  }
}

function baseRed(red: RedTree | undefined): StoppedLanding {
  return { code: 'BASE_RED', detail: red?.detail ?? '', in_box: red?.inBox ?? null }
}
