import type { Repo } from '../platform/find-repo.ts'
import { readRef } from '../platform/refs.ts'

export const ARCHIVE = 'refs/tasks-archive/'

/** A free name in the archive: `feature%2Fx`, and `feature%2Fx#2` where there is one of that name already. */
export function archiveRef(repo: Repo, ledger: string): string {
  const plain = ARCHIVE + ledger.replace(/[%/#]/g, (sign) => SPELLED[sign] ?? sign)
  for (let n = 1; ; n++) {
    const ref = n === 1 ? plain : `${plain}#${n}`
    if (readRef(repo, ref) === null) return ref
  }
}

export function archivedName(ref: string): string {
  return ref
    .slice(ARCHIVE.length)
    .replace(/#\d+$/, '')
    .replace(/%(?:2F|23|25)/g, (code) => PLAIN[code] ?? code)
}

// With slashes, one archived name could stand in another's way.
const SPELLED: Record<string, string> = { '/': '%2F', '#': '%23', '%': '%25' }
const PLAIN: Record<string, string> = { '%2F': '/', '%23': '#', '%25': '%' }
