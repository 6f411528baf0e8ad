import type { PhaseOutcome, RunContext, RunPlan, RunResult } from './run-plan.ts'
import { failed, usageOf } from './run-result.ts'
import { runTextPhase, verdictOn } from './run-text-phase.ts'

/** A plan, an exploration or a review: its result is a text, and nothing else of the checkout is kept. */
export async function runTextTask(plan: RunPlan, context: RunContext): Promise<RunResult> {
  const phaseOutcome = plan.phaseOutcome ?? (await runTextPhase(plan, context, kindOf(plan)))
  context.step(plan, 'removed')
  // Where it was heard just now this was done before its checkout went; a second time does no harm.
  context.keepPhaseOutcome(plan, phaseOutcome)
  return judgeText(plan, context, phaseOutcome)
}

function kindOf({ task: { type } }: RunPlan): 'plan' | 'explore' | 'review' {
  return type === 'review' || type === 'plan' ? type : 'explore'
}

function judgeText(plan: RunPlan, context: RunContext, phaseOutcome: PhaseOutcome): RunResult {
  const { report, incidents, text } = phaseOutcome
  const rest = { session: report.session, incidents, resetsAt: report.failure?.resetsAt ?? null }
  if (report.failure)
    return { ...failed(context, report.failure.reason, report.failure.detail, usageOf(report)), ...rest }
  if (text === null)
    return { ...failed(context, 'no-artifact', `nothing was written to ${plan.output}`, usageOf(report)), ...rest }
  const verdict = plan.task.type === 'review' ? { verdict: verdictOn(plan.from, phaseOutcome), head: plan.from } : {}
  return {
    end: { ended_at: context.now(), outcome: 'completed', ...usageOf(report), ...verdict },
    commits: [],
    text,
    ...rest,
  }
}
