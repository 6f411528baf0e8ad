import { effective } from '../config/effective.ts'
import type { Config } from '../config/settings.ts'
import { compareText } from '../ledger/canonical.ts'
import type { Phase, Run, Task, Verdict } from '../task/task.ts'
import type { Approval } from './landable-branch.ts'
import { personsVerdict } from './persons-verdict.ts'

export interface Judged {
  tasks: readonly Task[]
  /** The commit that would land. */
  tip: string
  config: Config
  /** The review tasks that were filed for them. */
  reviews: readonly Task[]
  /** An approval that no worker has received proves nothing. */
  isVouchedRun: (uid: string, run: Run) => boolean
  isVouchedPhase: (phase: Phase) => boolean
}

/**
 * A review counts only for the commit that it judged, and a person's verdict only for the commit that it was given for.
 */
export function approvalOf(judged: Judged): Approval {
  const { tasks, tip, config, reviews } = judged
  const byPeople = tasks.flatMap((task) => verdictOfPerson(task, tip) ?? [])
  if (byPeople.length > 0) return byPeople.every((verdict) => verdict === 'APPROVED') ? 'approved' : 'missing'
  if (reviews.length === 0 && !tasks.some((task) => isReviewAsked(task, config))) return 'not-asked'
  const verdicts = verdictsIn(judged)
    .filter(({ head, verdict }) => head === tip && verdict !== undefined)
    .filter(({ verdict, isVouched }) => isVouched || verdict !== 'APPROVED')
    .sort((a, b) => compareText(a.at, b.at))
  // Of two verdicts in the same second, neither is the later one.
  const last = verdicts.filter(({ at }) => at === verdicts.at(-1)?.at)
  return last.length > 0 && last.every(({ verdict }) => verdict === 'APPROVED') ? 'approved' : 'missing'
}

function isReviewAsked(task: Task, config: Config): boolean {
  const { create_review = false, auto_review = effective(config, task.type).auto_review, phases } = task
  return create_review || auto_review || phases.some(({ phase }) => phase === 'review')
}

interface DatedVerdict {
  at: string
  head: unknown
  verdict: unknown
  isVouched: boolean
}

function verdictsIn({ tasks, reviews, isVouchedRun, isVouchedPhase }: Judged): DatedVerdict[] {
  const ofRun = (uid: string, run: Run): DatedVerdict => {
    return { at: run.ended_at ?? '', head: run.head, verdict: run.verdict, isVouched: isVouchedRun(uid, run) }
  }
  const ofPhase = (phase: Phase): DatedVerdict => {
    return { at: phase.at, head: phase.head, verdict: phase.verdict, isVouched: isVouchedPhase(phase) }
  }
  return [
    ...reviews.flatMap(({ uid, runs }) => runs.map((run) => ofRun(uid, run))),
    ...tasks.flatMap(({ phases }) => phases.map(ofPhase)),
  ]
}

/** A person's verdict on this commit; it overrides every review. */
function verdictOfPerson(task: Task, tip: string): Verdict | null {
  const given = personsVerdict(task)
  return given !== null && given.head === tip ? given.verdict : null
}
