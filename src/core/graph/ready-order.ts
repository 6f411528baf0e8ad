import { compareText } from '../ledger/canonical.ts'
import { PRIORITIES, type Priority } from '../task/task.ts'

export interface Ranked {
  priority: Priority
  milestone_id?: string | null
  number: number
}

/** Which of two ready tasks goes first: by priority, then by milestone, then the older one. */
export function compareReady(a: Ranked, b: Ranked): number {
  return (
    PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) ||
    compareMilestones(a.milestone_id, b.milestone_id) ||
    a.number - b.number
  )
}

/** `M2` before `M10`; tasks without a milestone come last. */
export function compareMilestones(a: string | null | undefined, b: string | null | undefined): number {
  if (!a || !b) return Number(!a) - Number(!b)
  return compareNaturally(a, b) || compareText(a, b)
}

/** M2 before M10: runs of digits compare as numbers of any length, everything else by code unit. */
function compareNaturally(a: string, b: string): number {
  const partsOfA = partsOf(a)
  const partsOfB = partsOf(b)
  for (const [at, part] of partsOfA.entries()) {
    const other = partsOfB[at]
    if (other === undefined) return 1
    const order = isNumber(part) && isNumber(other) ? compareNumbers(part, other) : compareText(part, other)
    if (order !== 0) return order
  }
  return partsOfA.length - partsOfB.length
}

function partsOf(text: string): string[] {
  return text.match(/\d+|\D+/g) ?? []
}

function isNumber(part: string): boolean {
  return /^\d/.test(part)
}

function compareNumbers(a: string, b: string): number {
  const digitsOfA = a.replace(/^0+/, '')
  const digitsOfB = b.replace(/^0+/, '')
  return digitsOfA.length - digitsOfB.length || compareText(digitsOfA, digitsOfB)
}
