/** Which ledgers are archived on one side, and so are not exchanged with the other. */

import { ARCHIVE, archivedName } from '../../core/ledger/archived-name.ts'
import { fetchedArchive } from '../../ledger/remote.ts'
import { unreachedTips } from '../../ledger/unreached-tips.ts'
import { readRefsIn } from '../../platform/git/ref-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Tips } from './push-order.ts'

export interface ArchivedLedgers {
  /** The archive here has everything that the remote has of these. */
  here: ReadonlySet<string>
  /** The archive of the remote has everything that is here of these, and their branch is gone here too. */
  there: ReadonlySet<string>
}

/** A ledger that someone continued after it was archived is exchanged again. */
export function archivedLedgers(
  { repo }: Workspace,
  { remote, mine, theirs }: { remote: string; mine: Tips; theirs: Tips },
): ArchivedLedgers {
  const refs = readRefsIn(repo, [ARCHIVE, 'refs/heads/'])
  const onlyThere = [...theirs].filter(([ledger]) => !mine.has(ledger))
  const onlyHere = [...mine].filter(([ledger]) => !theirs.has(ledger) && !refs.has(`refs/heads/${ledger}`))
  const archiveHere = [...refs].filter(([ref]) => ref.startsWith(ARCHIVE))
  return {
    here: containedIn(repo, onlyThere, archiveHere),
    there: onlyHere.length === 0 ? new Set() : containedIn(repo, onlyHere, fetchedArchive(repo, remote)),
  }
}

/** One process at most: it prints the tips that the archived ledgers of these names do not reach. */
function containedIn(
  repo: Workspace['repo'],
  ledgers: readonly [string, string][],
  archive: readonly [ref: string, tip: string][],
): Set<string> {
  const names = new Set(archive.map(([ref]) => archivedName(ref)))
  const known = ledgers.filter(([ledger]) => names.has(ledger))
  const left = known.filter(([, tip]) => !archive.some(([, archived]) => archived === tip))
  const newer = new Set(
    unreachedTips(
      repo,
      left.map(([, tip]) => tip),
      archive.map(([, tip]) => tip),
    ),
  )
  return new Set(known.filter(([, tip]) => !newer.has(tip)).map(([ledger]) => ledger))
}
