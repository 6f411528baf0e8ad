import type { Env } from '../git/git.ts'

/** What gza installs for a person. */
export function userDataFolder(env: Env): string {
  return xdgFolder(env, 'XDG_DATA_HOME', '.local/share')
}

/** Facts that belong to a person and not to a repository. */
export function userStateFolder(env: Env): string {
  return xdgFolder(env, 'XDG_STATE_HOME', '.local/state')
}

/** A person's settings for all repositories. */
export function userConfigFolder(env: Env): string {
  return xdgFolder(env, 'XDG_CONFIG_HOME', '.config')
}

/** The XDG specification says that relative paths are ignored. */
function xdgFolder(env: Env, variable: string, standard: string): string {
  const chosen = env[variable]
  return chosen?.startsWith('/') ? `${chosen}/gza` : `${homeFolder(env)}/${standard}/gza`
}

/**
 * A person's home folder, also where HOME is not set, as in a service or a cron job. node:os is loaded only then: it takes
 * 0.1 ms.
 */
export function homeFolder(env: Env): string {
  return env.HOME || process.getBuiltinModule('node:os').homedir()
}
