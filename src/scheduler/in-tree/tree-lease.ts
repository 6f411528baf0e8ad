import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { keepShowingLife } from '../../runs/keep-showing-life.ts'
import { newRun, thisWorker } from '../../runs/new-run.ts'
import { treeUid } from '../../runs/slots/tree-of-lease.ts'
import { type Lease, releaseLease, takeLease } from '../../state/live/leases.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/**
 * The right to call agents in this work tree, which one process has at a time: two agents would commit each other's
 * changes. It ends with its process.
 */
export function takeTree(ws: Workspace): Lease {
  const path = ws.repo.workTree ?? ws.repo.dir
  const now = ws.now()
  const about = { ledger: ws.ledger, run: newRun(ws), holder: 'git tasks run', machine: ws.machine, expires_at: null }
  const place = { head: null, branch: null, path: null, taken_at: now }
  const taken = takeLease(liveOf(ws), { uid: treeUid(path), ...about, ...thisWorker(), ...place }, { now })
  if (taken !== null) {
    keepShowingLife(ws)
    return taken.lease
  }
  throw new UserError('TREE_BUSY', `Another git tasks run is working in ${path}`, {
    hint: sentence`Nothing was changed. ${command`ps`} shows its task. A second one needs its own worktree: git worktree add`,
  })
}

export function releaseTree(ws: Workspace, { uid, token }: Lease): void {
  releaseLease(liveOf(ws), uid, token, ws.now())
}
