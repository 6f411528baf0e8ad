import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Env } from '../git/git.ts'

/** The folder for facts that belong to the person and to no repository. */
export function userStateFolder(env: Env): string {
  const xdg = env.XDG_STATE_HOME
  return xdg && isAbsolute(xdg) ? join(xdg, 'gza') : join(env.HOME || homedir(), '.local', 'state', 'gza')
}
