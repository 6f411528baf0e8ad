import type { Agent } from '../../agents/agent.ts'
import { configuredAgent } from '../../agents/configured-agent.ts'
import { effectiveFor } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import { beginsWithReview } from '../../runs/prompt/plan-review.ts'
import { pausedUntil } from '../../runs/spend/agent-pauses.ts'
import { agentFor, type RunOptions } from '../../runs/take-run.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'

/** No agent at its limit or out of order is called, and one whose account has not answered yet is tried by one run alone. */
export function mayCall(state: WorkSession, task: Task): boolean {
  const { ws, config, options } = state
  const { name } = firstCalled(readLedger(ws), config, task, options)
  if (state.report.down.some(({ agent }) => agent === name) || isPaused(state, name)) return false
  if (state.proven.has(name)) return true
  const trying = [...state.running.values()].filter(({ plan }) => plan.agent.name === name)
  // For each that seems to be at work one more may try, until the first has proven it.
  const working = trying.filter(({ probe }) => probe.isAtWork()).length
  return trying.length < Math.max(1, 2 * working)
}

/** A run that goes on with a review calls the reviewer first. */
export function firstCalled(view: LedgerView, config: Config, task: Task, options: RunOptions): Agent {
  const agent = agentFor(view.ws, config, task, options)
  if (options.resume === false || !beginsWithReview(view, config, task)) return agent
  const { review_agent } = effectiveFor(config, task.type, { agent: agent.name })
  return review_agent === agent.name ? agent : configuredAgent(config, review_agent)
}

function isPaused({ ws, report }: WorkSession, agent: string): boolean {
  const until = pausedUntil(ws, agent)
  if (until === null) return false
  if (!report.paused.some((known) => known.agent === agent)) report.paused.push({ agent, until })
  return true
}
