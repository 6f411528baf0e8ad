import { firstBlocker } from '../core/run/verdict.ts'
import type { PhaseOutcome } from '../engine/phase/phase-report.ts'
import type { RunContext } from '../engine/phase/run-context.ts'
import type { RunPlan, RunResult } from '../engine/phase/run-plan.ts'
import { failedCall, usageOf } from '../engine/phase/run-result.ts'
import { reviewOf } from '../engine/phase/text/ask-verdict.ts'
import { runTextPhase } from '../engine/phase/text/run-text-phase.ts'

/** A plan, an exploration or a review: its result is a text, and nothing else of the checkout is kept. */
export async function runTextTask(plan: RunPlan, context: RunContext): Promise<RunResult> {
  const outcome = plan.order.earlier ?? (await runTextPhase(plan, context, kindOf(plan)))
  context.recorder.step('removed')
  // Already done for a phase that ended just now, before its checkout was removed. Doing it twice is harmless.
  context.recorder.keepOutcome(plan.order.promptKey, outcome)
  return judgeText(plan, context.host.now(), outcome)
}

function kindOf({ subject: { task } }: RunPlan): 'plan' | 'explore' | 'review' {
  return task.type === 'review' || task.type === 'plan' ? task.type : 'explore'
}

function judgeText({ subject, place }: RunPlan, at: string, outcome: PhaseOutcome): RunResult {
  const { report, incidents, text } = outcome
  if (report.failure) return { ...failedCall(at, report, report.failure), incidents }
  if (text === null) {
    const failure = { reason: 'no-artifact', detail: `nothing was written to ${place.output}` } as const
    return { ...failedCall(at, report, failure), incidents }
  }
  const judged = subject.task.type === 'review' ? judgedEnd(place.from, outcome) : { text, end: {} }
  return {
    end: { ended_at: at, outcome: 'completed', ...usageOf(report), ...judged.end },
    commits: [],
    text: judged.text,
    ...{ session: report.session, incidents, resetsAt: null },
  }
}

function judgedEnd(head: string, outcome: PhaseOutcome) {
  const { verdict, why, text } = reviewOf(head, outcome)
  const summary = verdict === 'APPROVED' ? null : (why ?? firstBlocker(text))
  return { text, end: { verdict, head, ...(summary !== null && { summary }) } }
}
