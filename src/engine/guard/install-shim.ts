import { join } from 'node:path'
import { fileExists, writeText } from '../../platform/files/files.ts'
import { putScript } from '../../platform/files/scripts.ts'
import shim from './git-shim.sh' with { type: 'text' }

/** By this file a shim knows the folders of all shims, and looks for git elsewhere. */
const MARKER = '.gza-shim'

/** Makes the folder one that may stand first on PATH. */
export function installShim(folder: string): void {
  const marker = join(folder, MARKER)
  if (!fileExists(marker)) writeText(marker, 'The git in this folder hands over to the next git on PATH.\n')
  putScript(join(folder, 'git'), shim)
}
