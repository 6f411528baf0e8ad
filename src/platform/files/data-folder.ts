import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Env } from '../git/git.ts'

/** Where gza keeps what it installs for one user (XDG, which ignores relative paths). */
export function dataFolder(env: Env): string {
  const xdg = env.XDG_DATA_HOME
  return xdg && isAbsolute(xdg) ? join(xdg, 'gza') : join(env.HOME || homedir(), '.local', 'share', 'gza')
}
