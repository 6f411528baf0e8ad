import { compareText } from '../ledger/canonical.ts'
import { PRIORITIES } from '../task/task.ts'
import { type Asked, type LandableBranch, leadOf, type WhyNot, whyNotLand } from './landable-branch.ts'

export interface LandPlan<W extends LandableBranch> {
  /** In the order in which they land. */
  landables: W[]
  refused: { landable: W; why: WhyNot }[]
}

/** The landing order: branches that others build on first, then by priority, then by completion. */
export function planLanding<W extends LandableBranch>(
  landables: readonly W[],
  askedOf: (landable: W) => Asked,
): LandPlan<W> {
  const refused: LandPlan<W>['refused'] = []
  const open = new Map<string, W>()
  for (const landable of landables) {
    const why = whyNotLand(landable, askedOf(landable))
    if (why === null) open.set(landable.branch, landable)
    else refused.push({ landable, why })
  }
  const order = orderLandables(open)
  const left = [...open.values()].filter((landable) => !order.includes(landable))
  return {
    landables: order,
    refused: [...refused, ...left.map((landable) => ({ landable, why: whyWaiting(landable, open) }))],
  }
}

/** Each branch after everything it needs; a branch that needs something that does not land is left out. */
function orderLandables<W extends LandableBranch>(open: ReadonlyMap<string, W>): W[] {
  const waiting = [...open.values()].sort(compareLandables)
  const order: W[] = []
  const placed = new Set<string>()
  for (;;) {
    const next = waiting.findIndex(({ needs }) => needs.every((branch) => placed.has(branch)))
    const [landable] = next < 0 ? [] : waiting.splice(next, 1)
    if (landable === undefined) return order
    order.push(landable)
    placed.add(landable.branch)
  }
}

function compareLandables(a: LandableBranch, b: LandableBranch): number {
  return rankOf(a) - rankOf(b) || compareText(closedAt(a), closedAt(b)) || leadOf(a).number - leadOf(b).number
}

function rankOf({ tasks }: LandableBranch): number {
  return Math.min(...tasks.map(({ priority }) => PRIORITIES.indexOf(priority)))
}

function closedAt(landable: LandableBranch): string {
  return leadOf(landable).closed_at ?? ''
}

function whyWaiting({ needs }: LandableBranch, open: ReadonlyMap<string, LandableBranch>): WhyNot {
  const missing = needs.filter((branch) => !open.has(branch))
  const before = missing.length > 0 ? missing : needs
  return { code: 'DEPENDENCY_NOT_LANDED', detail: `builds on ${before.join(', ')}`, needs: before }
}
