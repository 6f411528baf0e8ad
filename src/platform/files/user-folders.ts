import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Env } from '../git/git.ts'

/** Where facts that belong to the person live: not in any repository. */
export function userStateFolder(env: Env): string {
  const xdg = env.XDG_STATE_HOME
  return xdg && isAbsolute(xdg) ? join(xdg, 'gza') : join(env.HOME || homedir(), '.local', 'state', 'gza')
}
