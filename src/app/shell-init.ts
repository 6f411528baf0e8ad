import { homedir } from 'node:os'
import { join } from 'node:path'
import { installShim } from '../engine/shim/install-shim.ts'
import type { Env } from '../platform/git.ts'

/** Installs the shim for this user, and returns the line that puts it first on the shell's PATH, once. */
export function shellInit(env: Env, shell: 'bash' | 'zsh' | 'fish'): string {
  const folder = join(dataFolder(env), 'gza', 'shim')
  installShim(folder)
  return shell === 'fish' ? fishLine(folder) : posixLine(folder)
}

/** XDG ignores relative paths, and so do we: they would mean another folder in every directory. */
function dataFolder(env: Env): string {
  if (env.XDG_DATA_HOME?.startsWith('/')) return env.XDG_DATA_HOME
  return join(env.HOME || homedir(), '.local', 'share')
}

function posixLine(folder: string): string {
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`
  return `case ":$PATH:" in *:${quoted}:*) ;; *) export PATH=${quoted}":$PATH" ;; esac\n`
}

function fishLine(folder: string): string {
  const quoted = `'${folder.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return `contains -- ${quoted} $PATH; or set -gx PATH ${quoted} $PATH\n`
}
