import { compareText } from '../task/canonical.ts'
import { PRIORITIES } from '../task/task.ts'
import { type Asked, leadOf, type WhyNot, type Work, whyNotLand } from './landable-branch.ts'

export interface LandPlan<W extends Work> {
  /** In the order in which they land. */
  works: W[]
  refused: { work: W; why: WhyNot }[]
}

/** What lands in which order: what others build on first, then by priority, then what was completed first. */
export function planLanding<W extends Work>(works: readonly W[], askedOf: (work: W) => Asked): LandPlan<W> {
  const refused: LandPlan<W>['refused'] = []
  const open = new Map<string, W>()
  for (const work of works) {
    const why = whyNotLand(work, askedOf(work))
    if (why === null) open.set(work.branch, work)
    else refused.push({ work, why })
  }
  const order = orderWorks(open)
  const left = [...open.values()].filter((work) => !order.includes(work))
  return { works: order, refused: [...refused, ...left.map((work) => ({ work, why: whyWaiting(work, open) }))] }
}

/** Each once all that it needs is in; what needs something that does not land is left out. */
function orderWorks<W extends Work>(open: ReadonlyMap<string, W>): W[] {
  const waiting = [...open.values()].sort(compareWorks)
  const order: W[] = []
  const placed = new Set<string>()
  for (;;) {
    const next = waiting.findIndex(({ needs }) => needs.every((branch) => placed.has(branch)))
    const [work] = next < 0 ? [] : waiting.splice(next, 1)
    if (work === undefined) return order
    order.push(work)
    placed.add(work.branch)
  }
}

function compareWorks(a: Work, b: Work): number {
  return rankOf(a) - rankOf(b) || compareText(closedAt(a), closedAt(b)) || leadOf(a).number - leadOf(b).number
}

function rankOf({ tasks }: Work): number {
  return Math.min(...tasks.map(({ priority }) => PRIORITIES.indexOf(priority)))
}

function closedAt(work: Work): string {
  return leadOf(work).closed_at ?? ''
}

function whyWaiting({ needs }: Work, open: ReadonlyMap<string, Work>): WhyNot {
  const missing = needs.filter((branch) => !open.has(branch))
  const before = missing.length > 0 ? missing : needs
  return { code: 'DEPENDENCY_NOT_LANDED', detail: `builds on ${before.join(', ')}`, needs: before }
}
