import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Env } from '../git/git.ts'

/** The folder for a person's settings in all repositories (XDG, which ignores relative paths). */
export function userConfigFolder(env: Env): string {
  const xdg = env.XDG_CONFIG_HOME
  return xdg && isAbsolute(xdg) ? join(xdg, 'gza') : join(env.HOME || homedir(), '.config', 'gza')
}
