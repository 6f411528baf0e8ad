/** A phase whose result is a text, in a checkout of one commit that nothing else is kept of. */
import { join } from 'node:path'
import { isAboutAnother, readVerdict } from '../../core/run/verdict.ts'
import type { ReviewerVerdict } from '../../core/task/task.ts'
import { clearWay, readTextIfThere } from '../../platform/files/files.ts'
import { markedBy } from '../supervise/marked.ts'
import { dropThrowAway, makeThrowAway } from '../worktree/throw-away.ts'
import { workplaceRoot } from '../worktree/workplace.ts'
import { callAgent } from './call-agent.ts'
import type { PhaseReport } from './run-phase.ts'
import type { PhaseOutcome, RunContext, RunPlan } from './run-plan.ts'

export async function runTextPhase(
  plan: RunPlan,
  context: RunContext,
  kind: 'plan' | 'explore' | 'review',
): Promise<PhaseOutcome> {
  const repo = markedBy(context.repo, plan.run)
  const path = makeThrowAway(repo, workplaceRoot(repo, context.env), plan.run, plan.from)
  context.step(plan, 'prepared')
  try {
    // What the judged commit has at that place is nobody's answer: a review could have been put there beforehand.
    if (plan.output !== null) clearWay(path, plan.output)
    const access = kind === 'review' ? 'read-only' : 'work'
    const { report, incidents } = await callAgent(plan, context, { phase: kind, cwd: path, access })
    const phaseOutcome = { report, incidents, strayed: [], text: writtenText(plan, kind, path, report) }
    context.keepPhaseOutcome(plan, phaseOutcome)
    context.step(plan, 'heard')
    return phaseOutcome
  } finally {
    dropThrowAway(repo, path)
  }
}

/** The verdict of a review of this commit. What its reviewer said last can speak against it, and not in its place. */
export function verdictOn(commit: string, { text, report }: PhaseOutcome): ReviewerVerdict {
  const review = text ?? ''
  const isAbout = [review, report.text].every((said) => !isAboutAnother(said, commit))
  const verdict = readVerdict(review)
  return isAbout && verdict === readVerdict(review, report.text) ? verdict : 'CHANGES_REQUESTED'
}

/** The file it was asked to write, else its last message where that is more than a line of goodbye. */
function writtenText(plan: RunPlan, kind: string, path: string, { text, printed }: PhaseReport): string | null {
  const file = plan.output === null ? null : readTextIfThere(join(path, plan.output))
  if (file !== null && file.trim() !== '') return file
  if (kind !== 'review') return text.trim().split('\n').length > 3 ? text : null
  const review = printed === '' ? text : printed
  return /\*\*Verdict:/.test(review) ? review : null
}
