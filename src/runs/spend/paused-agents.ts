import { AGENTS } from '../../agents/registry.ts'
import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import type { Pause } from '../../state/account/pauses.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { type AgentView, listAgents } from '../../workspace/views/list-agents.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { clientOf } from '../claims/register-agent.ts'
import { listPauses, resumeAgent } from './agent-pauses.ts'

/** An agent as `gza agents` shows it. The shape is public. */
export interface PausableAgent extends AgentView {
  /** When its usage limit ends; the last one, if several of its models or accounts are paused. */
  paused_until: string | null
}

/** The agents of this repository, and the clients that are paused. */
export function listPausable(ws: Workspace): PausableAgent[] {
  const pauses = listPauses(ws)
  const known = listAgents(ws)
  const called = new Set(known.map(({ agent, client }) => client ?? agent))
  const others = [...new Set(pauses.map(({ agent }) => agent))].filter((agent) => !called.has(agent)).map(idleAgent)
  return [...known, ...others].map((each) => {
    const own = pauses.filter(({ agent }) => agent === (each.client ?? each.agent)).map(({ until }) => until)
    return { ...each, paused_until: own.toSorted().at(-1) ?? null }
  })
}

function idleAgent(agent: string): AgentView {
  const nothing = { detail: null, current_task: null, open_count: 0, heartbeat_at: null }
  return { agent, client: null, registered: false, status: 'idle', ...nothing }
}

export interface Resumed {
  agent: string
  /** What was paused: an empty list if nothing was. */
  lifted: { model: string; paused_until: string }[]
}

/** Lifts the pauses of a client, a configured command, or the client of a registered agent. */
export async function resumePaused(ws: Workspace, name: string): Promise<Resumed> {
  const asked = name.replace(/^@/, '')
  const agent = clientOf(ws, asked) ?? asked
  const lifted = resumeAgent(ws, agent).map(({ model, until }) => ({ model, paused_until: until }))
  if (lifted.length === 0 && !(await isKnown(ws, asked))) throw unknown(ws, asked)
  return { agent, lifted }
}

async function isKnown(ws: Workspace, name: string): Promise<boolean> {
  if (AGENTS.some((agent) => agent.name === name) || listAgents(ws).some(({ agent }) => agent === name)) return true
  return (await loadConfiguration(ws)).agents.has(name)
}

function unknown(ws: Workspace, name: string): UserError {
  const paused = [...new Set(listPauses(ws).map(({ agent }) => agent))]
  const hint = paused.length === 0 ? command`agents` : `Paused now: ${paused.join(', ')}`
  return new UserError('UNKNOWN_AGENT', `There is no agent “${name}”, and none is paused under that name`, { hint })
}

/** `the model X of gemini`, or only the agent. */
export function pausedName({ agent, model }: Pick<Pause, 'agent' | 'model'>): string {
  return model === '' ? agent : `${agent} (model ${model})`
}
