import { ARCHIVE, archivedName } from '../../core/ledger/archived-name.ts'
import { listRefs } from '../../platform/git/refs.ts'
import { ledgerNames } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'

/** `branches`: those here and on remotes, and ledgers without one. `ledgers`: those with tasks. `archived`: in the archive. */
export type NameKind = 'branches' | 'ledgers' | 'archived'

export function branchNames(ws: Pick<Workspace, 'repo'>, kind: NameKind): string[] {
  if (kind === 'archived') return sorted([...listRefs(ws.repo, ARCHIVE).keys()].map(archivedName))
  if (kind === 'ledgers') return sorted(ledgerNames(ws))
  const refs = [...listRefs(ws.repo, 'refs/heads/', 'refs/remotes/').keys()]
  const branches = refs.map((ref) => ref.replace(/^refs\/heads\/|^refs\/remotes\/[^/]+\//, ''))
  return sorted([...branches.filter((name) => name !== 'HEAD'), ...ledgerNames(ws)])
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
