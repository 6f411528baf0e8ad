import { addNote, closeTask as close } from '../core/operations.ts'
import { isSettled, type Task } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import { readHead } from '../platform/refs.ts'
import { isHeld, type Lease, leaseOf, releaseLease } from '../state/sqlite/leases.ts'
import { type Entry, entriesWhere } from '../state/sqlite/read-index.ts'
import { changeLedger } from './change-ledger.ts'
import { claimOf, endClaimedRun } from './end-claim.ts'
import { finishing } from './finish-parents.ts'
import { entry, findTasks, type LedgerView } from './ledger-view.ts'
import { commitsToLink, readLinkedLedger, writeNotes } from './link-commits.ts'
import { noteHeartbeat } from './note-heartbeat.ts'
import { checkedNote } from './note-task.ts'
import { derivedStatus } from './task-view.ts'
import { viewChanged } from './view-changed.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

/** Marks tasks completed, and the parents that are finished with them. `done` may be said twice. */
export function closeTask(ws: Workspace, refs: readonly string[], options: { note?: string } = {}): TaskView[] {
  const note = options.note === undefined ? undefined : checkedNote(options.note)
  // First, because a commit that an earlier task waits for must not be taken for this one's.
  readLinkedLedger(ws)
  noteHeartbeat(ws)
  const { named, changed } = changeLedger(ws, (view) => {
    const tasks = findTasks(view, refs)
    const closed = tasks.map((task) => closeOne(view, task, note))
    const changed = closed.filter((task, index) => task !== tasks[index])
    refuseOpenChildren(view, changed, closed)
    const subject = `done ${changed.map((task) => task.id).join(' ')}`
    const { parents, ...change } = finishing(view, { tasks: changed, subject })
    return { ...change, result: { named: [...closed, ...parents], changed } }
  })
  releaseClaims(ws, changed)
  writeNotes(ws, changed)
  return viewChanged(ws, named)
}

/** A parent is done through its children: whoever closes it says what becomes of them, in the same breath if need be. */
function refuseOpenChildren(view: LedgerView, changed: readonly Task[], closed: readonly Task[]): void {
  const after = new Map(closed.map((task) => [task.uid, task]))
  for (const { uid, id, status } of changed) {
    if (status !== 'completed' || entry(view, uid)?.status === 'completed') continue
    const children = entriesWhere(view.ws.state, view.row.lid, 'e.parent = ? ORDER BY e.number', uid)
    const open = children.filter((child) => !isSettled(child) && !isSettled(after.get(child.uid) ?? child))
    if (open.length > 0) throw childrenOpen(view, `#${entry(view, uid)?.number ?? id}`, open)
  }
}

const MOST_NAMED = 10

function childrenOpen(view: LedgerView, name: string, open: readonly Entry[]): UserError {
  const named = open.slice(0, MOST_NAMED).map((row) => `#${row.number} ${row.title} (${derivedStatus(view, row)})`)
  const more = open.length - named.length
  const words = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const children = open.length === 1 ? 'a child that is open' : `${open.length} children that are open`
  const numbers = open.map(({ number }) => number).join(' ')
  return new UserError('CHILDREN_OPEN', `Task ${name} has ${children}: ${words}`, {
    hint: `Nothing was changed. gza done ${numbers} closes ${open.length === 1 ? 'it' : 'them'}, and ${name} with ${open.length === 1 ? 'it' : 'the last'}.`,
  })
}

function closeOne(view: LedgerView, task: Task, note: string | undefined): Task {
  const { ws } = view
  const happening = { at: ws.now(), by: ws.actor.name }
  const noted = note === undefined ? task : addNote(task, note, happening, ws.random(8))
  if (task.status === 'completed') return noted
  refuseLostLease(view, task)
  if (isRunnersToClose(view, task)) return noted
  const head = readHead(ws.repo)
  const branch = head.kind === 'branch' ? head.branch : null
  const oid = head.oid === ws.repo.zeroOid ? null : head.oid
  const claim = claimOf(ws, task)
  const ended = claim === null ? noted : endClaimedRun(noted, claim, { ended_at: ws.now(), outcome: 'completed' })
  return close(ended, 'completed', happening, { head: oid, branch, commits: commitsToLink(view, task) })
}

/** A claim ends with its task: opened again, the task is anyone's. */
function releaseClaims(ws: Workspace, tasks: readonly Task[]): void {
  for (const task of tasks) {
    const claim = task.status === 'completed' ? claimOf(ws, task) : null
    if (claim !== null && ws.live !== null) releaseLease(ws.live, task.uid, claim.token, ws.now())
  }
}

/**
 * What a worker of `gza work` is running, the worker closes, after its checks: what an agent says meanwhile is heard and
 * proves nothing, whichever variables it has lost. A person's word counts.
 */
function isRunnersToClose({ ws }: LedgerView, task: Task): boolean {
  const lease = leaseIn(ws, task)
  const isRunning = lease !== null && lease.path !== null && isHeld(lease, ws.now())
  if (!isRunning || ws.actor.mode === 'human') return false
  ws.warnings.push(`${task.id} will be closed by gza once your last commit has passed its checks`)
  return true
}

/** A holder whose lease was taken over cannot close the task. */
function refuseLostLease({ ws }: LedgerView, task: Task): void {
  const lease = leaseIn(ws, task)
  if (lease === null || ws.actor.run === undefined || lease.run === ws.actor.run) return
  throw new UserError('LEASE_LOST', `${task.id} was taken over by ${lease.holder}`, {
    hint: 'Leave your commits where they are; git tasks note ID "…" tells the new holder of them.',
  })
}

function leaseIn(ws: Workspace, task: Task): Lease | null {
  return ws.live === null ? null : leaseOf(ws.live, task.uid)
}
