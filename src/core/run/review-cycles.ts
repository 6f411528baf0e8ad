/**
 * The rule of the review cycles: the finished phases determine the next one. Nothing else stores the position, so a run
 * that was killed, timed out or moved to another machine continues exactly there.
 */
import { compareText } from '../ledger/canonical.ts'
import type { Phase, ReviewerVerdict, Run, Task, Verdict } from '../task/task.ts'
import { currentRuns } from './run-rules.ts'

export type ReviewStep =
  | { do: 'implement' }
  | { do: 'review'; cycle: number }
  | { do: 'improve'; cycle: number; review: Phase }
  | { do: 'finish'; verdict: Verdict; cycles: number }

/** A step that calls an agent. */
export type PhaseStep = Exclude<ReviewStep, { do: 'finish' }>

/** What a person is shown of the cycles as they proceed. */
export type ReviewNews =
  | { kind: 'began'; phase: PhaseStep['do'] }
  | { kind: 'implemented' }
  | { kind: 'reviewed'; verdict: ReviewerVerdict; summary: string | null }
  | { kind: 'exhausted' }

/** `tip` is the commit of the task's branch; null if there is none. */
export function nextPhase(phases: readonly Phase[], maxCycles: number, tip: string | null): ReviewStep {
  const last = lastPhase(phases, tip)
  if (last === null || tip === null) return { do: 'implement' }
  if (last.phase !== 'review') return { do: 'review', cycle: last.cycle + 1 }
  const verdict = verdictOf(last)
  if (verdict === 'CHANGES_REQUESTED' && last.cycle < maxCycles)
    return { do: 'improve', cycle: last.cycle, review: last }
  if (verdict === 'CHANGES_REQUESTED') return { do: 'finish', verdict: 'MAX_CYCLES_REACHED', cycles: last.cycle }
  // An approval counts only for the commit that was judged.
  return last.head === tip ? { do: 'finish', verdict, cycles: last.cycle } : { do: 'review', cycle: last.cycle }
}

/** The cycle that a step works toward: what is improved after review 1 goes into review 2. */
export function cycleToward(step: ReviewStep): number {
  switch (step.do) {
    case 'implement':
      return 1
    case 'review':
      return step.cycle
    case 'improve':
      return step.cycle + 1
    case 'finish':
      return step.cycles
    default:
      return step satisfies never
  }
}

/** The name of the step in which a run stopped, as its end records it. */
export function stepName(step: PhaseStep): string {
  return step.do === 'implement' ? step.do : `${step.do} ${step.cycle}`
}

export interface ReviewView {
  /** While it runs, the cycle it works toward; otherwise the number of finished reviews. */
  cycle: number
  of: number | null
  verdict: Verdict | null
}

/** The position of a task in its review cycles, from the ledger's facts alone. */
export function viewReview(task: Task, isRunning: boolean): ReviewView {
  if (task.runs.length === 0 && task.phases.length === 0)
    return { cycle: 0, of: task.max_review_cycles ?? null, verdict: task.final_verdict ?? null }
  const phases = countedPhases(task)
  // A verdict from before the task was opened again does not apply to the work since then.
  const last = currentRuns(task).at(-1)
  const of = task.max_review_cycles ?? numberIn(task.runs.at(-1)?.max_cycles) ?? numberIn(inOrder(phases).at(-1)?.of)
  if (isRunning) {
    const step = nextPhase(phases, of ?? Number.POSITIVE_INFINITY, inOrder(phases).at(-1)?.head ?? null)
    return { cycle: last?.max_cycles === undefined ? 0 : cycleToward(step), of, verdict: task.final_verdict ?? null }
  }
  const cycle = Math.max(numberIn(last?.review_cycle) ?? 0, reviewsDone(phases))
  return { cycle, of, verdict: task.final_verdict ?? (last?.verdict as Verdict) ?? unfinishedVerdict(task, phases) }
}

/** For interrupted review cycles: an approval that was not recorded as the end does not count yet. */
function unfinishedVerdict({ status }: Task, phases: readonly Phase[]): Verdict | null {
  const verdict = lastVerdict(phases)
  return status === 'completed' || verdict === 'APPROVED' ? null : verdict
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** The latest verdict of the reviewers. */
function lastVerdict(phases: readonly Phase[]): ReviewerVerdict | null {
  const review = lastReview(phases)
  return review === null ? null : verdictOf(review)
}

/** By its place in the cycles: facts of the same second are in any order in the ledger. */
export function lastReview(phases: readonly Phase[]): Phase | null {
  return inOrder(phases).findLast(({ phase }) => phase === 'review') ?? null
}

/**
 * The phases of the ledger that a run may build on. A verdict that would end the reviews counts only if a worker on
 * this machine is known to have received it, because an agent can write a phase too. If that is unknown, the review is
 * repeated.
 */
export function soundPhases(phases: readonly Phase[], isVouched: (phase: Phase) => boolean): Phase[] {
  const isFinal = (phase: Phase) => phase.phase === 'review' && verdictOf(phase) !== 'CHANGES_REQUESTED'
  return phases.filter((phase) => !isFinal(phase) || isVouched(phase))
}

export function reviewsDone(phases: readonly Phase[]): number {
  return Math.max(0, ...phases.filter(({ phase }) => phase === 'review').map(({ cycle }) => cycle))
}

/**
 * The phases that a next run builds on: made for the current text of the task, after the task was last completed (unless
 * a person has continued its cycles since), and after the last run that a person wanted to start anew.
 */
export function countedPhases(task: CountedTask): Phase[] {
  if (task.phases.length === 0) return []
  const finished = task.runs.filter(
    (run) => run.outcome === 'completed' && generationOf(run) < task.generation && !isContinued(task, run),
  )
  const since = Math.max(-1, ...finished.map(generationOf))
  const fresh = task.runs.findLastIndex((run) => run.fresh === true)
  const before = new Set(task.runs.slice(0, Math.max(0, fresh)).map(({ run }) => run))
  const told = requestDigest(task)
  return task.phases.filter((phase) => phase.generation > since && !before.has(phase.run) && phase.told === told)
}

type CountedTask = Pick<Task, 'phases' | 'runs' | 'generation' | 'content' | 'acceptance_criteria' | 'extra'>

/** The field of a task that says: a person has continued the cycles that ended with this run. */
export function continuedField(run: string): string {
  return `continued:${run}`
}

function isContinued({ extra }: Pick<Task, 'extra'>, { run }: Run): boolean {
  return extra?.[continuedField(run)] !== undefined
}

/** A digest of what the agents were asked: phases for another text do not count. */
export function requestDigest({
  content,
  acceptance_criteria = [],
}: Pick<Task, 'content' | 'acceptance_criteria'>): string {
  const hasher = new Bun.CryptoHasher('sha256')
  hasher.update(JSON.stringify([content, acceptance_criteria]))
  return hasher.digest('hex').slice(0, 16)
}

function generationOf(run: Run): number {
  return Number(run.generation ?? 0)
}

function verdictOf({ verdict }: Phase): ReviewerVerdict {
  return verdict ?? 'CHANGES_REQUESTED'
}

/** Of two phases at the same place, the one for the current commit counts, otherwise the later one. */
function lastPhase(phases: readonly Phase[], tip: string | null): Phase | null {
  const ordered = inOrder(phases)
  const last = ordered.at(-1) ?? null
  return ordered.findLast((phase) => place(phase) === (last && place(last)) && phase.head === tip) ?? last
}

/** In their real order: several may have the same second. */
export function phasesInTime(phases: readonly Phase[]): Phase[] {
  if (phases.length === 0) return []
  return [...phases].sort((a, b) => compareText(a.at, b.at) || a.generation - b.generation || place(a) - place(b))
}

function inOrder(phases: readonly Phase[]): Phase[] {
  return [...phases].sort((a, b) => place(a) - place(b))
}

function place({ phase, cycle }: Phase): number {
  return phase === 'review' ? 2 * cycle - 1 : 2 * cycle
}
