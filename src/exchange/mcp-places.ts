/** Where each client keeps the servers that it starts, and how gza is written there. */
import { join } from 'node:path'
import { type JsonServer, putJsonServer, takeJsonServer } from '../core/client-setup/json-server.ts'
import type { Edited } from '../core/client-setup/marked-block.ts'
import { putTomlServer, takeTomlServer } from '../core/client-setup/toml-server.ts'
import { firstIn } from '../platform/files/files.ts'
import type { Env } from '../platform/git/git.ts'

/** A file, and what gza does to its text. */
export interface McpPlace {
  path: string
  put(text: string): Edited
  take(text: string): Edited
  /** What a person can write there instead. */
  byHand: string
}

export type McpClient = 'claude' | 'codex' | 'opencode' | 'gemini' | 'qwen' | 'copilot'

/** The file of this project, with a path from its top, or the person's own, with an absolute path. */
export function mcpPlace(client: McpClient, { env, project }: { env: Env; project: string | null }): McpPlace {
  const { user, shared, server } = PLACES[client]
  const path = project === null ? user(env) : shared(project)
  if (server === null) return tomlPlace(path)
  const byHand = `Add it by hand: "${server.key}": {"gza": ${JSON.stringify(server.entry)}}`
  return { path, put: (text) => putJsonServer(text, server), take: (text) => takeJsonServer(text, server.key), byHand }
}

function tomlPlace(path: string): McpPlace {
  const byHand = 'Add it by hand: [mcp_servers.gza] with command = "gza" and args = ["mcp"]'
  const { parse } = Bun.TOML
  return { path, put: (text) => putTomlServer(text, parse), take: (text) => takeTomlServer(text, parse), byHand }
}

interface ClientFiles {
  user(env: Env): string
  /** From the top of the project. */
  shared(project: string): string
  /** Null: its file is TOML. */
  server: JsonServer | null
}

const START = { command: 'gza', args: ['mcp'] }
const SERVERS = 'mcpServers'

const PLACES: Readonly<Record<McpClient, ClientFiles>> = {
  claude: {
    user: (env) => join(env.CLAUDE_CONFIG_DIR || home(env), '.claude.json'),
    shared: () => '.mcp.json',
    server: { key: SERVERS, entry: { type: 'stdio', ...START } },
  },
  codex: {
    user: (env) => join(env.CODEX_HOME || join(home(env), '.codex'), 'config.toml'),
    shared: () => '.codex/config.toml',
    server: null,
  },
  opencode: {
    user: (env) => opencodeFile(join(env.XDG_CONFIG_HOME || join(home(env), '.config'), 'opencode')),
    shared: (project) => opencodeFile(project, ''),
    server: { key: 'mcp', entry: { type: 'local', command: ['gza', 'mcp'], enabled: true } },
  },
  gemini: {
    user: (env) => join(env.GEMINI_CLI_HOME || home(env), '.gemini/settings.json'),
    shared: () => '.gemini/settings.json',
    server: { key: SERVERS, entry: START },
  },
  qwen: {
    user: (env) => join(env.QWEN_HOME || join(home(env), '.qwen'), 'settings.json'),
    shared: () => '.qwen/settings.json',
    server: { key: SERVERS, entry: START },
  },
  copilot: {
    user: (env) => join(env.COPILOT_HOME || join(home(env), '.copilot'), 'mcp-config.json'),
    shared: () => '.github/mcp.json',
    server: { key: SERVERS, entry: { type: 'local', ...START, tools: ['*'] } },
  },
}

/** It reads both; a person has one of them. */
function opencodeFile(folder: string, shown = folder): string {
  return join(shown, firstIn(folder, ['opencode.jsonc', 'opencode.json']) ?? 'opencode.json')
}

function home({ HOME }: Env): string {
  return HOME || '/'
}
