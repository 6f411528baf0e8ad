import { treeOf } from '../../runs/slots/tree-of-lease.ts'
import { LANDING, type Lease, leasesByLife } from '../../state/live/leases.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { nameOf } from '../../workspace/views/task-status.ts'
import type { TaskName } from '../../workspace/views/views.ts'

/** Who has the right to work on something, until when, and whether it still shows signs of life. */
export interface HolderView {
  holder: string
  run: string
  /** Null: it holds no task of this ledger. */
  task: TaskName | null
  /** What it holds otherwise, such as a landing, in words. */
  what: string | null
  taken_at: string
  /** Of a claim; null: it lasts as long as its process. */
  expires_at: string | null
  /** When it was last seen alive. */
  heartbeat_at: string
  /** Its process has died, or its claim has expired. */
  isAbandoned: boolean
  /** Its process; null: an agent that gza did not start. */
  pid: number | null
  machine: string
  worktree: string | null
}

export function listHolders(view: LedgerView): HolderView[] {
  const { ws } = view
  if (ws.live === null) return []
  const { held, abandoned } = leasesByLife(ws.live, ws.now())
  return [
    ...held.map((lease) => holderOf(view, lease, false)),
    ...abandoned.map((lease) => holderOf(view, lease, true)),
  ]
}

function holderOf(view: LedgerView, lease: Lease, isAbandoned: boolean): HolderView {
  const { holder, run, taken_at, expires_at, pid, machine, path, beat_at } = lease
  const row = lease.ledger === view.ws.ledger ? entry(view, lease.uid) : undefined
  return {
    ...{ holder, run, taken_at, expires_at, pid, machine, isAbandoned },
    task: row === undefined ? null : nameOf(view, row),
    what: row === undefined ? whatOf(lease) : null,
    heartbeat_at: beat_at ?? taken_at,
    worktree: path ?? treeOf(lease),
  }
}

function whatOf(lease: Lease): string {
  if (lease.uid.startsWith(LANDING)) return `landing on ${lease.uid.slice(LANDING.length)}`
  const tree = treeOf(lease)
  return tree === null ? `a task of ${lease.ledger}` : `the work tree ${tree}`
}
