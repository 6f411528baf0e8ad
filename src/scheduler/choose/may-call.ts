import type { Agent } from '../../agents/agent.ts'
import { effectiveFor } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { agentNow } from '../../runs/choose-agent.ts'
import { reviewerNow } from '../../runs/review/choose-reviewer.ts'
import { beginsWithReview } from '../../runs/review/plan-review.ts'
import type { RunOptions } from '../../runs/run-options.ts'
import { type Caller, pausedUntil } from '../../runs/spend/agent-pauses.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { WorkSession } from '../work-session.ts'

/** An agent that is paused or out of order is not called. Until its account has answered, only one run tries it. */
export function mayCall(session: WorkSession, view: LedgerView, task: Task, chosen: CallOptions): boolean {
  const { config, options, slots, report } = session
  const caller = firstCalled(view, config, task, { ...options, ...chosen })
  const { name } = caller.agent
  if (report.down.some(({ agent }) => agent === name) || reportIfPaused(session, caller)) return false
  if (slots.proven.has(name)) return true
  const trying = [...slots.running.values()].filter(({ plan }) => plan.worker.agent.name === name)
  // For each run that seems to be working, one more may try, until the first has proven that the account works.
  const working = trying.filter(({ probe }) => probe.isAtWork()).length
  return trying.length < Math.max(1, 2 * working)
}

function reportIfPaused({ ws, report }: WorkSession, caller: Caller): boolean {
  const until = pausedUntil(ws, caller)
  if (until === null) return false
  const agent = caller.agent.name
  if (!report.paused.some((known) => known.agent === agent)) report.paused.push({ agent, until })
  return true
}

interface CallOptions extends Pick<RunOptions, 'resume' | 'model'> {
  /** The agent of the run. */
  agent: Agent
}

/** The agent that a run of the task would call first: a run that continues with a review calls the reviewer. */
export function firstCalled(view: LedgerView, config: Config, task: Task, options: CallOptions): Caller {
  const { agent } = options
  const settings = effectiveFor(config, task.type, { agent: agent.name, model: options.model })
  if (options.resume === false || !beginsWithReview(view, config, task)) return { agent, model: settings.model }
  return reviewerNow(view.ws, config, { task, settings })
}

/** The name of the agent that a run of the task would call first; null if it cannot be chosen. */
export function calledAgent(view: LedgerView, config: Config, task: Task, options: RunOptions): string | null {
  try {
    return firstCalled(view, config, task, { ...options, ...agentNow(view.ws, config, task, options) }).agent.name
  } catch (error) {
    // The run itself reports it.
    if (error instanceof UserError) return null
    throw error
  }
}
