import { join } from 'node:path'
import { appendText, readTextIfThere } from '../files/files.ts'
import type { Repo } from './find-repo.ts'

/** Hides `.gza/` from git status, with a file outside the working tree. False if it was already hidden. */
export function hideGzaFolder({ commonDir }: Repo): boolean {
  const file = join(commonDir, 'info', 'exclude')
  const text = readTextIfThere(file) ?? ''
  if (text.split('\n').includes('/.gza/')) return false
  appendText(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.gza/\n`)
  return true
}
