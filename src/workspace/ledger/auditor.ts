import type { Audit } from '../../ledger/write-commit.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import type { Workspace } from '../workspace.ts'

/** The actor and the time, as each commit of a ledger records them. */
export function auditorOf(ws: Workspace): Omit<Audit, 'subject'> {
  const { name, mode, run } = ws.actor
  const time = Math.floor(Date.parse(ws.now()) / 1000)
  return { actor: name, mode, time, identity: identityOf(ws.repo), ...(run !== undefined && { run }) }
}
