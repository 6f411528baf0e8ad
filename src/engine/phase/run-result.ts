import type { FailureReason, RunEnd } from '../../core/run/run-rules.ts'
import type { PhaseReport } from './phase-report.ts'
import type { RunPlan, RunResult } from './run-plan.ts'

export function usageOf(report: PhaseReport): Pick<RunEnd, 'cost_usd' | 'tokens_in' | 'tokens_out' | 'turns'> {
  const { costUsd, tokensIn, tokensOut, turns } = report.usage
  return { cost_usd: costUsd, tokens_in: tokensIn, tokens_out: tokensOut, ...(turns > 0 && { turns }) }
}

/** No command has checked the work. */
export function unverified({ verify, subject: { task } }: RunPlan): Pick<RunEnd, 'unverified'> {
  const isTested = verify.test_command !== null && (task.test_files ?? []).length > 0
  return verify.command === null && !isTested ? { unverified: true } : {}
}

export function failed(at: string, reason: FailureReason, detail: string, about: Partial<RunEnd> = {}): RunResult {
  const outcome = reason === 'interrupted' || reason === 'question' ? 'interrupted' : 'failed'
  const end: RunEnd = { ended_at: at, outcome, reason, detail, ...about }
  return { end, commits: [], text: null, session: null, resetsAt: null, incidents: [] }
}

/** A run that failed after its agent was called. The next attempt also learns which calls the client denied. */
export function failedCall(
  at: string,
  report: PhaseReport,
  { reason, detail }: { reason: FailureReason; detail: string },
  about: Partial<RunEnd> = {},
): RunResult {
  const whole = [detail, ...(report.denied ?? []).map((call) => `The client denied a call: ${call}`)].join('\n')
  const { resetsAt = null, ofModel } = report.failure ?? {}
  return {
    ...failed(at, reason, whole, { ...usageOf(report), ...about }),
    ...{ session: report.session, resetsAt, ...(ofModel && { ofModel }) },
  }
}

export function stoppedByPerson(at: string, about: Partial<RunEnd> = {}): RunResult {
  return failed(at, 'interrupted', 'stopped by a person', about)
}
