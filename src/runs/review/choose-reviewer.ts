/** Which agent reviews: the configured one, or a fallback while that one is paused. */
import { configuredAgent } from '../../agents/configured-agent.ts'
import { effective } from '../../core/config/effective.ts'
import type { Config, TypeSettings } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Caller, pausedUntil } from '../spend/agent-pauses.ts'

export interface ChosenReviewer extends Caller {
  /** The agent that it stands in for. */
  insteadOf: string | null
}

interface Reviewed {
  task: Task
  settings: TypeSettings
  /** The run that reviews, and its agent. */
  now?: { run: string; agent: string }
}

/**
 * Where the configuration names another agent for reviews than for the work, nobody reviews what it wrote itself: not as
 * a fallback of the reviewer, and not because it stood in for the agent of the work.
 */
export function reviewerNow(ws: Workspace, config: Config, { task, settings, now }: Reviewed): ChosenReviewer {
  const usual = { agent: configuredAgent(config, settings.review_agent), model: settings.review_model, insteadOf: null }
  const { agent: worker, review_agent: reviewer } = effective(config, task.type)
  const writers = reviewer === worker ? new Set<string>() : writersOf(task, now)
  const isWriter = writers.has(usual.agent.name)
  if (!isWriter && pausedUntil(ws, usual) === null) return usual
  // If the reviewer wrote the work in place of its usual agent, that one may review it.
  const names = isWriter ? [...config.fallback, worker] : config.fallback
  const others = names
    .map((name) => ({ agent: configuredAgent(config, name), model: null, insteadOf: usual.agent.name }))
    .filter(({ agent }) => agent.name !== usual.agent.name && !writers.has(agent.name))
  const free = others.find((other) => pausedUntil(ws, other) === null)
  return free ?? (isWriter ? others[0] : undefined) ?? usual
}

/** The agents that made the commits of its phases. */
function writersOf({ phases, runs }: Task, now: Reviewed['now']): Set<string> {
  const agents = new Map<string, unknown>(runs.map(({ run, agent }) => [run, agent]))
  if (now !== undefined) agents.set(now.run, now.agent)
  const made = phases.filter(({ phase }) => phase !== 'review').map(({ run }) => agents.get(run))
  return new Set(made.filter((agent) => typeof agent === 'string'))
}
