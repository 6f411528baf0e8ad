import type { Repo } from '../platform/find-repo.ts'
import { readRef } from '../platform/refs.ts'

export const ARCHIVE = 'refs/tasks-archive/'

/** A free name in the archive. Slashes are spelled %2F, so that no archived name stands in another's way. */
export function archiveRef(repo: Repo, ledger: string): string {
  const plain = ARCHIVE + ledger.replaceAll('/', '%2F')
  for (let n = 1; ; n++) {
    const ref = n === 1 ? plain : `${plain}-${n}`
    if (readRef(repo, ref) === null) return ref
  }
}

export function archivedName(ref: string): string {
  return ref.slice(ARCHIVE.length).replaceAll('%2F', '/')
}
