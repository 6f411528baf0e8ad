/** On start-up every unfinished run is compared with what git and the process table show, and brought to an end. */
import { recordRun } from '../../core/operations.ts'
import { endMarked } from '../../engine/supervise/marked.ts'
import { dropThrowAway } from '../../engine/throw-away.ts'
import { keepLeftovers } from '../../engine/workplace.ts'
import { fileExists } from '../../platform/files.ts'
import { identityOf } from '../../platform/identity.ts'
import { type Lease, leasesByLife, releaseLease } from '../../state/sqlite/leases.ts'
import { finishRun } from '../../state/sqlite/live-runs.ts'
import { taskOf } from '../../state/sqlite/read-index.ts'
import { changeLedger } from '../change-ledger.ts'
import { liveOf, type Workspace } from '../workspace.ts'

/** Returns a sentence for each run that was found dead. */
export async function recoverRuns(ws: Workspace): Promise<string[]> {
  const { abandoned } = leasesByLife(liveOf(ws), ws.now())
  const sentences: string[] = []
  for (const lease of abandoned) {
    if (lease.machine !== ws.machine) continue
    await endMarked(lease.run)
    sentences.push(recoverRun(ws, lease))
  }
  return sentences
}

/** What the dead run left is kept as a WIP commit on its branch; the run ends as interrupted, at no cost of an attempt. */
function recoverRun(ws: Workspace, lease: Lease): string {
  const place = {
    ...ws,
    ledger: lease.ledger,
    actor: { name: lease.holder, mode: 'agent' as const, source: 'run', run: lease.run },
  }
  const head = keepWork(ws, lease)
  const number = changeLedger(place, (view) => {
    const task = taskOf(ws.state, view.row.lid, lease.uid)
    const run = task?.runs.find((known) => known.run === lease.run)
    if (task === null || run === undefined || run.ended_at !== undefined)
      return { tasks: [], subject: '', result: task?.number }
    const ended = {
      ...run,
      ended_at: ws.now(),
      outcome: 'interrupted',
      reason: 'interrupted',
      ...(head !== null && { head }),
    }
    return { tasks: [recordRun(task, ended)], subject: `end ${task.id} interrupted`, result: task.number }
  })
  finishRun(liveOf(ws), lease.run, { ended_at: ws.now(), outcome: 'interrupted', reason: 'interrupted' })
  releaseLease(liveOf(ws), lease.uid, lease.token, ws.now())
  return `The run of task #${number ?? '?'} had died; its work is kept${lease.branch === null ? '' : ` on ${lease.branch}`}`
}

function keepWork(ws: Workspace, lease: Lease): string | null {
  const { branch, path, head } = lease
  if (path === null || head === null || !fileExists(path)) return null
  if (branch === null) {
    dropThrowAway(ws.repo, path)
    return null
  }
  const kept = keepLeftovers(
    ws.repo,
    { branch, path, base: head },
    { message: `WIP: interrupted run ${lease.run}`, identity: identityOf(ws.repo) },
  )
  return kept.head
}
