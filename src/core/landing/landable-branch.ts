/**
 * A branch lands: the tasks that worked on it land together. From the collected facts this file decides which branches
 * may land, and gives one reason for each branch that may not.
 */

import { compareText } from '../ledger/canonical.ts'
import { isCommitId } from '../ledger/stored-names.ts'
import { isSetAside } from '../run/finished-work.ts'
import { isFinished } from '../task/status-predicates.ts'
import type { LandAttempt, Task } from '../task/task.ts'
import { firstLine } from '../text/first-line.ts'
import { type Weakening, weakeningText } from '../weakened/weakening.ts'
import { personsVerdict } from './persons-verdict.ts'

export interface LandableBranch {
  branch: string
  /** The tasks that worked on the branch, in the order of their completion; never empty. */
  tasks: readonly Task[]
  /** Null: the branch no longer exists. */
  tip: string | null
  base: string
  /** The tip, or what was completed if the branch no longer exists, is in the history of the base. */
  isInBase: boolean
  /** Files of the work that decide what runs unattended. */
  guarded: readonly string[]
  approval: Approval
  /** Files that it changes and that its tasks do not declare. */
  outside?: readonly string[]
  /** Whether such files wait for a person (`scope: ask`). */
  asksAboutScope?: boolean
  /** Where it makes checks see less. */
  weakened?: readonly Weakening[]
  /** Whether that waits for a person (`weakened: ask`). */
  asksAboutWeakened?: boolean
  /** What happened to refs of others while its agents ran; null if nothing did. */
  changedRefs?: string | null
  /** Other branches that it is built on and that have not landed. */
  needs: readonly string[]
}

export type Approval = 'not-asked' | 'approved' | 'missing'

/** Who wants it to land: the queue by itself, a person who asked for all, or a person who named it. */
export type Asked = 'unattended' | 'all' | 'named'

export type LandCode =
  | 'NOT_COMPLETED'
  | 'SENT_BACK'
  | 'NO_BRANCH'
  | 'LANDED'
  | 'NOTHING_TO_LAND'
  | 'ON_HOLD'
  | 'SKIPPED'
  | 'CLOSED_BY_HAND'
  | 'BUILT_ON_SET_ASIDE'
  | 'GUARDED_FILES'
  | 'REFS_CHANGED'
  | 'NOT_APPROVED'
  | 'OUT_OF_SCOPE'
  | 'WEAKENED'
  | 'EDITED'
  | 'LAND_CONFLICT'
  | 'LAND_RED'
  | 'DEPENDENCY_NOT_LANDED'

export interface WhyNot {
  code: LandCode
  /** The end of a sentence that begins with the task. */
  detail: string
  /** Branches that must land before it. */
  needs?: readonly string[]
}

/** The task that represents the branch: the last one that worked on it. */
export function leadOf({ tasks }: Pick<LandableBranch, 'tasks'>): Task {
  const lead = tasks.at(-1)
  if (lead === undefined) throw new Error('a landable branch has no task')
  return lead
}

/** Why the work cannot land, regardless of other branches; null if it may. */
export function whyNotLand(landable: LandableBranch, asked: Asked): WhyNot | null {
  return whyNothingToLand(landable) ?? whyUnfinished(landable) ?? whyUnasked(landable, asked)
}

function whyNothingToLand(landable: LandableBranch): WhyNot | null {
  const { tip, base, isInBase } = landable
  if (isLanded(landable)) return { code: 'LANDED', detail: `has landed on ${base}` }
  // A branch without any commit of its own is in the base too.
  if (isInBase) return whyUnfinished(landable) ?? { code: 'NOTHING_TO_LAND', detail: `is already in ${base}` }
  return tip === null ? { code: 'NO_BRANCH', detail: whyGone(landable) } : null
}

function whyGone({ branch, tasks }: LandableBranch): string {
  const head = leadOf({ tasks }).closed_commit
  const way = head === null ? '' : `; its work was ${head.slice(0, 12)}: git branch ${branch} ${head.slice(0, 12)}`
  return `has no branch ${branch} any more${way}`
}

/** Has exactly the current content of its branch landed? */
export function isLanded({ tasks, tip, base }: Pick<LandableBranch, 'tasks' | 'tip' | 'base'>): boolean {
  const landed = tasks.flatMap(({ landings }) => landings).filter((each) => isLandedOn(each, base))
  if (tip !== null) return landed.some(({ head, rebased }) => head === tip || rebased === tip)
  return landed.length > 0 && tasks.every(isFinished)
}

export function isLandedOn({ outcome, base, head, commits }: LandAttempt, wanted: string): boolean {
  if (![head, ...(commits ?? [])].every(isCommitId)) return false
  return outcome === 'landed' && base === wanted
}

function whyUnfinished({ tasks, branch }: LandableBranch): WhyNot | null {
  const open = tasks.find((task) => !isFinished(task))
  if (open?.status === 'pending' && lastRefusal(open)) {
    return { code: 'SENT_BACK', detail: `was sent back: ${firstLine(lastRefusal(open)?.detail ?? '')}` }
  }
  if (open) return { code: 'NOT_COMPLETED', detail: `is not completed: ${open.id} on ${branch} is ${open.status}` }
  if (tasks.some(({ on_hold }) => on_hold)) return { code: 'ON_HOLD', detail: 'is on hold' }
  return null
}

function whyUnasked(landable: LandableBranch, asked: Asked): WhyNot | null {
  const { guarded } = landable
  const aside = whySetAside(landable)
  if (aside !== null && asked !== 'named') return aside
  if (guarded.length > 0 && asked !== 'named')
    return { code: 'GUARDED_FILES', detail: `changes ${guarded.join(', ')}, which only a person may land` }
  if (asked !== 'unattended') return null
  const scope = landable.asksAboutScope ? scopeConcern(landable) : null
  const weakened = landable.asksAboutWeakened ? weakenedConcern(landable) : null
  return concernsOf(landable)[0] ?? weakened ?? scope ?? whyRefusedBefore(landable)
}

/** Agents have left commits on the branch without finishing a task: only a person who names it may land them. */
export function whySetAside({ tasks }: Pick<LandableBranch, 'tasks'>): WhyNot | null {
  const lead = leadOf({ tasks })
  const aside = isSetAside(lead) ? lead : tasks.find(isSetAside)
  if (aside === undefined) return null
  const isSkipped = aside.status === 'skipped'
  const how = isSkipped ? 'was skipped' : 'was closed by hand'
  if (aside !== lead)
    return { code: 'BUILT_ON_SET_ASIDE', detail: `may contain unfinished work of ${aside.id}, which ${how}` }
  const detail = `${how}, and no agent has finished the work on its branch`
  return { code: isSkipped ? 'SKIPPED' : 'CLOSED_BY_HAND', detail }
}

/** What prevents a branch from landing by itself, and what a person who lands it is warned about. */
export function concernsOf(landable: LandableBranch): WhyNot[] {
  const concerns: WhyNot[] = []
  const aside = whySetAside(landable)
  if (aside !== null) concerns.push(aside)
  if (landable.changedRefs) concerns.push({ code: 'REFS_CHANGED', detail: `ran while ${landable.changedRefs}` })
  if (landable.approval === 'missing') concerns.push({ code: 'NOT_APPROVED', detail: whyNotApproved(landable) })
  if (isEdited(leadOf(landable))) concerns.push({ code: 'EDITED', detail: 'was edited after it was completed' })
  return concerns
}

/** Files that nobody has named when the task was filed. */
export function scopeConcern({ outside = [] }: LandableBranch): WhyNot | null {
  if (outside.length === 0) return null
  return { code: 'OUT_OF_SCOPE', detail: `changes ${outside.join(', ')}, which its list of files does not name` }
}

/** Tests, rules or limits of the project that the work makes weaker. */
export function weakenedConcern({ weakened = [] }: LandableBranch): WhyNot | null {
  const [first, ...more] = weakened
  if (first === undefined) return null
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`
  return { code: 'WEAKENED', detail: `weakens checks: ${weakeningText(first)}${rest}` }
}

function whyNotApproved({ tasks, tip }: LandableBranch): string {
  const earlier = tasks.flatMap((task) => personsVerdict(task) ?? []).find(({ head }) => head !== null && head !== tip)
  if (earlier?.verdict !== 'APPROVED') return 'has no approval of its last commit'
  const [then, now] = [earlier.head, tip].map((commit) => commit?.slice(0, 7))
  return `was approved by ${earlier.by} at ${then}, and is at ${now} now`
}

function isEdited({ edits, closed_at }: Task): boolean {
  const isOrder = (field: string) => field === 'content' || field === 'acceptance_criteria'
  return edits.some(({ field, at }) => isOrder(field) && closed_at !== null && at > closed_at)
}

/** The same commits were refused before, and it was sent back as often as allowed. */
export function whyRefusedBefore({ tasks, tip }: LandableBranch): WhyNot | null {
  const refusal = lastRefusal(leadOf({ tasks }))
  if (refusal === null || refusal.head !== tip) return null
  return { code: codeOfRefusal(refusal), detail: `did not land: ${firstLine(refusal.detail ?? '')}` }
}

function codeOfRefusal({ outcome }: LandAttempt): 'LAND_CONFLICT' | 'LAND_RED' {
  return outcome === 'conflict' ? 'LAND_CONFLICT' : 'LAND_RED'
}

/** The last attempt to land, if it failed. */
export function lastRefusal(task: Pick<Task, 'landings'>): LandAttempt | null {
  const last = attemptsInOrder(task).at(-1)
  return last === undefined || last.outcome === 'landed' ? null : last
}

/** How often in a row it could not land. */
export function refusalsOf(task: Pick<Task, 'landings'>): number {
  const attempts = attemptsInOrder(task)
  return attempts.length - 1 - attempts.findLastIndex(({ outcome }) => outcome === 'landed')
}

/** The ledger orders facts by their second. Two attempts may have the same second, so their own count decides. */
export function attemptsInOrder({ landings }: Pick<Task, 'landings'>): LandAttempt[] {
  return landings.toSorted((a, b) => a.generation - b.generation || countOf(a) - countOf(b) || compareText(a.at, b.at))
}

export function nextAttemptCount({ landings }: Pick<Task, 'landings'>): number {
  return Math.max(0, ...landings.map(countOf)) + 1
}

function countOf({ n }: LandAttempt): number {
  return typeof n === 'number' ? n : 0
}
