import { ARCHIVE, spellName } from '../../core/ledger/archived-name.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readRef } from '../../platform/git/refs.ts'

/** A free name in the archive. */
export function archiveRef(repo: Repo, ledger: string): string {
  const plain = ARCHIVE + spellName(ledger)
  for (let n = 1; ; n++) {
    const ref = n === 1 ? plain : `${plain}#${n}`
    if (readRef(repo, ref) === null) return ref
  }
}
