import { command } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { readHead, readRef } from '../platform/git/refs.ts'
import { assertLedgerName } from '../workspace/choose-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface LandBase {
  /** Without `refs/heads/`. */
  name: string
  tip: string
}

/** Where finished work lands: the given branch, otherwise the branch of the ledger, otherwise the current branch. */
export function landBase({ repo, ledger }: Workspace, into?: string): LandBase {
  const name = into === undefined ? ledger : assertLedgerName(into)
  const tip = readRef(repo, `refs/heads/${name}`)
  if (tip !== null) return { name, tip }
  const head = into === undefined ? readHead(repo) : null
  if (head?.kind === 'branch' && head.oid !== null) return { name: head.branch, tip: head.oid }
  throw new UserError('NO_BASE', `There is no branch ${into ?? ledger} to land on`, {
    hint: command`merge ID --into BRANCH`,
  })
}
