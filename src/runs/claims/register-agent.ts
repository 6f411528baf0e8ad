import { configuredAgent } from '../../agents/configured-agent.ts'
import { AGENTS } from '../../agents/registry.ts'
import type { Config } from '../../core/config/settings.ts'
import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { registerAgent, registeredAgents, unregisterAgent } from '../../state/live/registered-agents.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { type AgentView, agentsIn, listAgents } from '../../workspace/views/list-agents.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/** Registers an agent here, under a name that tasks can be assigned to. */
export async function addAgent(ws: Workspace, name: string, client: string | null): Promise<AgentView> {
  const id = checkedName(name)
  if (client !== null) configuredAgent(await loadConfiguration(ws), client)
  registerAgent(liveOf(ws), { name: id, client, added_at: ws.now() })
  return listAgents(ws).find(({ agent }) => agent === id) as AgentView
}

/** Tasks that are assigned to it stay assigned. */
export function removeAgent(ws: Workspace, name: string): string {
  const id = checkedName(name)
  if (ws.live !== null && unregisterAgent(ws.live, id)) return id
  throw new UserError('UNKNOWN_AGENT', `No agent ${id} is registered`, { hint: command`agents` })
}

function checkedName(name: string): string {
  const id = name.replace(/^@/, '')
  if (/^[A-Za-z][\w.-]{0,63}$/.test(id)) return id
  throw new UserError('BAD_VALUE', `'${name}' is not a valid name for an agent`, {
    hint: 'Letters, digits, . - and _, a letter first, as in backend-2',
    exitCode: 2,
  })
}

/** Every name that a task can be assigned to. */
export function assignableNames(view: LedgerView, config: Config): string[] {
  const clients = AGENTS.map(({ name }) => name)
  return [...new Set([...agentsIn(view).map(({ agent }) => agent), ...config.agents.keys(), ...clients])]
}

/** The client of a registered agent; null: it has none. */
export function clientOf({ live }: Workspace, name: string): string | null | undefined {
  return live === null ? undefined : registeredAgents(live).find((agent) => agent.name === name)?.client
}
