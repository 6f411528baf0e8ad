import { join } from 'node:path'
import { appendText, isLink, readTextIfThere } from '../files/files.ts'
import type { Repo } from './find-repo.ts'

/**
 * Hides `.gza/` from git status, with a file outside the working tree. False if it was already hidden. Where that file is
 * a link, what it leads to belongs to somebody else and is left alone.
 */
export function hideGzaFolder({ commonDir }: Repo): boolean {
  const file = join(commonDir, 'info', 'exclude')
  if (isLink(file) || isLink(join(commonDir, 'info'))) return false
  const text = readTextIfThere(file) ?? ''
  if (text.split('\n').includes('/.gza/')) return false
  appendText(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.gza/\n`)
  return true
}
