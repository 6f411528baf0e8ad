import { join } from 'node:path'
import { isAbsolute } from 'node:path/posix'
import { canReadImports, importsBetween } from '../../core/size/imports.ts'
import { readPiece } from '../../platform/files/read-piece.ts'
import type { Repo } from '../../platform/git/find-repo.ts'

/** Imports are at the top of a file. */
const MOST_BYTES = 64 * 1024

/** Which of these files of the checkout import which others. A file that cannot be read imports nothing. */
export function readImports(repo: Repo, files: readonly string[]): Map<string, string[]> {
  const top = repo.workTree
  if (top === null) return new Map()
  const inside = files.filter((file) => canReadImports(file) && !isAbsolute(file) && !/^\.\.(?:\/|$)/.test(file))
  return importsBetween(new Map(inside.map((file) => [file, textOf(join(top, file))])))
}

function textOf(path: string): string {
  try {
    return new TextDecoder().decode(readPiece(path, 0, MOST_BYTES))
  } catch {
    return ''
  }
}
