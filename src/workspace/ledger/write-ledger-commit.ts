import type { LedgerCommit } from '../../core/ledger/import-stream.ts'
import { writeCommit } from '../../ledger/write/write-commit.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import type { Workspace } from '../workspace.ts'
import { mayWriteObjects } from '../write-settings.ts'

interface Change extends Pick<LedgerCommit, 'parents' | 'files'> {
  subject: string
  undoes?: string | undefined
  /** The bad commit that this one leaves out. */
  without?: string | undefined
}

/** Writes a commit of a ledger that names the workspace's actor and the present time. Returns its id; no ref moves. */
export function writeLedgerCommit(ws: Workspace, { parents, files, subject, undoes, without }: Change): string {
  const { name, mode, run } = ws.actor
  const time = Math.floor(Date.parse(ws.now()) / 1000)
  const actor = { actor: name, mode, time, identity: identityOf(ws.repo), ...(run !== undefined && { run }) }
  const about = { ...(undoes !== undefined && { undoes }), ...(without !== undefined && { without }) }
  const commit = { parents, files, audit: { subject, ...actor, ...about } }
  return writeCommit(ws.repo, commit, mayWriteObjects(ws.repo, ws.state))
}
