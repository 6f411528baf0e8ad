import type { Agent } from '../../agents/agent.ts'
import { configuredAgent } from '../../agents/configured-agent.ts'
import { effectiveFor } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import { agentFor, type RunOptions } from '../../runs/plan-run.ts'
import { beginsWithReview } from '../../runs/review/plan-review.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

/** The agent that a run of the task would call first: a run that continues with a review calls the reviewer. */
export function firstCalled(view: LedgerView, config: Config, task: Task, options: RunOptions): Agent {
  const agent = agentFor(view.ws, config, task, options)
  if (options.resume === false || !beginsWithReview(view, config, task)) return agent
  const { review_agent } = effectiveFor(config, task.type, { agent: agent.name })
  return review_agent === agent.name ? agent : configuredAgent(config, review_agent)
}
