import { join } from 'node:path'
import { dataFolder } from '../../platform/files/data-folder.ts'
import type { Env } from '../../platform/git/git.ts'
import { installShim } from './install-shim.ts'

/** Installs the shim for this user, and returns the line that puts it first on the shell's PATH, once. */
export function shellInit(env: Env, shell: 'bash' | 'zsh' | 'fish'): string {
  const folder = join(dataFolder(env), 'shim')
  installShim(folder)
  return shell === 'fish' ? fishLine(folder) : posixLine(folder)
}

function posixLine(folder: string): string {
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`
  return `case ":$PATH:" in *:${quoted}:*) ;; *) export PATH=${quoted}":$PATH" ;; esac\n`
}

function fishLine(folder: string): string {
  const quoted = `'${folder.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return `contains -- ${quoted} $PATH; or set -gx PATH ${quoted} $PATH\n`
}
