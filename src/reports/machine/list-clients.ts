import { installCommand } from '../../core/client-setup/install-client.ts'
import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import { TASK_TYPES, type TaskType } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { fileExists, findProgram } from '../../platform/files/files.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** The clients that gza can start without any configuration. */
export const CLIENTS = ['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot']

/** A client, or a command of the configuration that takes the place of one. */
export interface ClientView {
  client: string
  /** Where its program is; null: it is not on PATH. */
  path: string | null
  /** The configuration names its command. */
  configured: boolean
  /** The types of tasks that it works on. */
  works_on: TaskType[]
  reviews: TaskType[]
  /** How it is installed, if it is missing and known. */
  install: string | null
}

/** Those that are installed or that the configuration names. Nothing is started to find out. */
export async function listClients(ws: Workspace): Promise<ClientView[]> {
  const config = await knownConfig(ws)
  const find = (name: string) => findProgram(name, ws.env.PATH ?? '')
  const installed = CLIENTS.filter((client) => find(client) !== null)
  const own = config === null ? [] : [...config.agents.keys()]
  const roles = (role: 'agent' | 'review_agent', client: string) =>
    config === null ? [] : TASK_TYPES.filter((type) => effective(config, type)[role] === client)
  const named = config === null ? [] : TASK_TYPES.flatMap((type) => namesFor(config, type))
  return [...new Set([...own, ...installed, ...named])].sort().map((client) => {
    const command = config?.agents.get(client)?.command
    const path = programOf(command ?? client, find)
    return {
      ...{ client, path, configured: own.includes(client) },
      ...{ works_on: roles('agent', client), reviews: roles('review_agent', client) },
      install: path === null ? installCommand(client) : null,
    }
  })
}

/** The first word of a command line is its program. */
function programOf(line: string, find: (name: string) => string | null): string | null {
  const [program = ''] = line.split(' ')
  return program.includes('/') ? (fileExists(program) ? program : null) : find(program)
}

function namesFor(config: Config, type: TaskType): string[] {
  const { agent, review_agent } = effective(config, type)
  return [agent, review_agent].filter((name) => name !== null)
}

/** A mistake in the configuration must not hide what is installed. */
async function knownConfig(ws: Workspace): Promise<Config | null> {
  try {
    return await loadConfiguration(ws)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}
