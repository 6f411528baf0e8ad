import { join } from 'node:path'
import { fileExists, writeText } from '../../platform/files/files.ts'
import { putScript } from '../../platform/files/scripts.ts'
import { userDataFolder } from '../../platform/files/user-folders.ts'
import { type Env, SHIM_MARKER } from '../../platform/git/git.ts'
import shim from './git-shim.sh' with { type: 'text' }

/** Installs the shim in a folder that can then be first on PATH. */
export function installShim(folder: string): void {
  const marker = join(folder, SHIM_MARKER)
  if (!fileExists(marker)) writeText(marker, 'The git in this folder calls the next git on PATH.\n')
  putScript(join(folder, 'git'), shim)
}

/** Installs the shim for this user, and returns the line that puts it first on the shell's PATH, but only once. */
export function shellInit(env: Env, shell: 'bash' | 'zsh' | 'fish'): string {
  const folder = join(userDataFolder(env), 'shim')
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
