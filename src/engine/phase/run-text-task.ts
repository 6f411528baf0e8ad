import type { Desk, Heard, Job, RunResult } from './run-plan.ts'
import { failed, usageOf } from './run-result.ts'
import { runTextPhase, verdictOn } from './run-text-phase.ts'

/** A plan, an exploration or a review: its result is a text, and nothing else of the checkout is kept. */
export async function runTextTask(job: Job, desk: Desk): Promise<RunResult> {
  const heard = job.heard ?? (await runTextPhase(job, desk, kindOf(job)))
  desk.step(job, 'removed')
  // Where it was heard just now this was done before its checkout went; a second time does no harm.
  desk.keepHeard(job, heard)
  return judgeText(job, desk, heard)
}

function kindOf({ task: { type } }: Job): 'plan' | 'explore' | 'review' {
  return type === 'review' || type === 'plan' ? type : 'explore'
}

function judgeText(job: Job, desk: Desk, heard: Heard): RunResult {
  const { report, incidents, text } = heard
  const rest = { session: report.session, incidents, resetsAt: report.failure?.resetsAt ?? null }
  if (report.failure) return { ...failed(desk, report.failure.reason, report.failure.detail, usageOf(report)), ...rest }
  if (text === null)
    return { ...failed(desk, 'no-artifact', `nothing was written to ${job.output}`, usageOf(report)), ...rest }
  const verdict = job.task.type === 'review' ? { verdict: verdictOn(job.from, heard), head: job.from } : {}
  return {
    end: { ended_at: desk.now(), outcome: 'completed', ...usageOf(report), ...verdict },
    commits: [],
    text,
    ...rest,
  }
}
