import { homeFolder } from '../platform/files/user-folders.ts'
import type { Env } from '../platform/git/git.ts'

/** Where a client keeps its login, settings, sessions and caches: in the home folder, or where a variable leads. */
const OF_CLIENT: Readonly<Record<string, (env: Env) => string[]>> = {
  claude: (env) => [env.CLAUDE_CONFIG_DIR || inHome(env, '.claude')],
  codex: (env) => [env.CODEX_HOME || inHome(env, '.codex')],
  opencode: (env) => [
    xdg(env, 'XDG_CONFIG_HOME', '.config'),
    xdg(env, 'XDG_DATA_HOME', '.local/share'),
    xdg(env, 'XDG_STATE_HOME', '.local/state'),
    `${caches(env)}/opencode`,
    ...(env.OPENCODE_CONFIG_DIR ? [env.OPENCODE_CONFIG_DIR] : []),
  ],
  gemini: (env) => [`${env.GEMINI_CLI_HOME || homeFolder(env)}/.gemini`],
  qwen: (env) => [env.QWEN_HOME || inHome(env, '.qwen'), ...(env.QWEN_RUNTIME_DIR ? [env.QWEN_RUNTIME_DIR] : [])],
  copilot: (env) => [env.COPILOT_HOME || inHome(env, '.copilot')],
}

/** Also written: claude's settings beside its folder, and another client. */
const OTHERS = ['.claude.json', '.cursor']

/** Everything that clients write outside of a worktree. Some of it may not exist. */
export function clientPaths(env: Env): string[] {
  return [...loginPaths(env), ...cachePaths(env)]
}

/** What of it may contain keys. */
export function loginPaths(env: Env): string[] {
  const folders = Object.values(OF_CLIENT).flatMap((of) => of(env))
  const kept = folders.filter((folder) => !folder.startsWith(`${caches(env)}/`))
  return absolute([...kept, ...OTHERS.map((name) => inHome(env, name))])
}

/** Caches of clients and package managers. */
export function cachePaths(env: Env): string[] {
  return absolute([caches(env), inHome(env, '.npm'), inHome(env, '.bun/install/cache')])
}

/** The folders without which this client does not work or forgets its sessions; none for one that is not known. */
export function foldersOf(program: string, env: Env): string[] {
  const name = program.slice(program.lastIndexOf('/') + 1)
  const folders = Object.hasOwn(OF_CLIENT, name) ? OF_CLIENT[name]?.(env) : undefined
  // Without this one, copilot does not start.
  return folders ? absolute([...folders, caches(env)]) : []
}

function absolute(paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith('/'))
}

function caches(env: Env): string {
  return env.XDG_CACHE_HOME || inHome(env, '.cache')
}

function xdg(env: Env, variable: string, standard: string): string {
  return `${env[variable] || inHome(env, standard)}/opencode`
}

function inHome(env: Env, name: string): string {
  return `${homeFolder(env)}/${name}`
}
