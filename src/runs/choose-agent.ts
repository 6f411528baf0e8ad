/** Which agent does a task: the one that was named, the usual one, or a fallback while that one is paused. */
import type { Agent } from '../agents/agent.ts'
import { configuredAgent } from '../agents/configured-agent.ts'
import { effective } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import type { Task } from '../core/task/task.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { clientOf } from './claims/register-agent.ts'
import type { RunOptions } from './run-options.ts'
import { pausedUntil } from './spend/agent-pauses.ts'

type Asked = Pick<RunOptions, 'agent' | 'model'>

export function agentFor(ws: Workspace, config: Config, task: Task, options: Asked): Agent {
  const usual = effective(config, task.type).agent
  const name = options.agent ?? assignedAgent(task) ?? usual
  // A registered agent without its own client is the default agent under another name.
  const client = clientOf(ws, name)
  return configuredAgent(config, client === undefined ? name : (client ?? usual))
}

/** gza cannot start an agent that claimed the task itself. */
function assignedAgent({ assigned_agent, runs }: Task): string | undefined {
  return runs.some((run) => run.claimed && run.agent === assigned_agent) ? undefined : assigned_agent
}

/** The agent with the model that it is given; null: the client chooses. */
export interface ChosenAgent {
  agent: Agent
  model?: string | null
  /** The agent that it stands in for. */
  insteadOf: string | null
}

/**
 * The agent that can be called now. A fallback stands in only for the usual agent, never for one that the task or the
 * command line names, and is not given that agent's model. `isDown`: it could not be started.
 */
export function agentNow(
  ws: Workspace,
  config: Config,
  task: Task,
  asked: Asked & { isDown?: (agent: string) => boolean },
): ChosenAgent {
  const { agent: named, model, isDown = () => false } = asked
  const usual = agentFor(ws, config, task, { agent: named })
  const chosen = { agent: usual, ...(model != null && { model }), insteadOf: null }
  if (named !== undefined || assignedAgent(task) !== undefined) return chosen
  const isOut = (agent: Agent, given: string | null) =>
    isDown(agent.name) || pausedUntil(ws, { agent, model: given }) !== null
  if (!isOut(usual, model ?? effective(config, task.type).model)) return chosen
  for (const name of config.fallback) {
    const other = configuredAgent(config, name)
    if (other.name !== usual.name && !isOut(other, null)) return { agent: other, model: null, insteadOf: usual.name }
  }
  return chosen
}
