import { command, sentence } from '../core/sentence.ts'
import { addNote, closeTask as close, withdrawQuestions } from '../core/task/operations.ts'
import type { Run, Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { readHead } from '../platform/git/refs.ts'
import { isHeld, type Lease, leaseOf, releaseLease } from '../state/live/leases.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTasks, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { noteCommits } from '../workspace/ledger/link-commits.ts'
import { commitsToLink } from '../workspace/links/commits-to-link.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { blockersOf } from '../workspace/views/task-status.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { claimOf, endClaimedRun, isOtherConnection, noteHeartbeat } from './agent-claim.ts'
import { busyTasks, orphanedTasks } from './checks/busy-tasks.ts'
import { withFinishedParents } from './checks/finish-parents.ts'
import { refuseOpenChildren } from './checks/refuse-open-children.ts'
import { refuseOthersTask } from './checks/run-rights.ts'
import { checkedNote } from './note-task.ts'
import { withoutSecrets } from './redact-input.ts'

/** Marks tasks as completed, and the parents that are finished with them. Closing a task twice is allowed. */
export function closeTask(ws: Workspace, refs: readonly string[], options: { note?: string } = {}): TaskView[] {
  const note = options.note === undefined ? undefined : withoutSecrets(ws, checkedNote(options.note), 'note')
  // First, because a commit that an earlier task waits for must not be linked to this one.
  readLinkedLedger(ws)
  noteHeartbeat(ws)
  const { named, changed, links } = changeLedger(ws, (view) => {
    const tasks = findTasks(view, refs)
    const closed = tasks.map((task) => closeOne(view, task, note))
    const changed = closed.filter((task, index) => task !== tasks[index])
    refuseOpenChildren(view, closed)
    warnOfBlocked(view, tasks)
    warnOfBusy(view, changed)
    const subject = `done ${changed.map((task) => task.id).join(' ')}`
    const { parents, ...change } = withFinishedParents(view, { tasks: changed, subject })
    const links = closed.flatMap((task, index) => newLinks(tasks[index] as Task, task))
    return { ...change, result: { named: [...closed, ...parents], changed, links } }
  })
  releaseClaims(ws, changed)
  noteCommits(ws, links)
  return viewChanged(ws, named)
}

/** Each note is a git process: a task that was taken long ago may have hundreds of commits, and the last ones matter. */
const MOST_NOTES = 20

function newLinks(before: Task, task: Task): { task: Task; commit: string }[] {
  const known = new Set(before.commits)
  const others = task.commits.filter((commit) => !known.has(commit) && commit !== task.closed_commit)
  const closing = task.closed_commit === before.closed_commit ? [] : [task.closed_commit]
  const commits = [...others.slice(0, MOST_NOTES - 1), ...closing]
  return commits.flatMap((commit) => (commit === null ? [] : [{ task, commit }]))
}

/** People may know better than the plan. A task that is closed by the same command blocks nothing. */
function warnOfBlocked(view: LedgerView, tasks: readonly Task[]): void {
  const closing = new Set(tasks.map(({ id }) => id))
  for (const { uid, status } of tasks) {
    const row = status === 'pending' ? entry(view, uid) : undefined
    const blockers = row === undefined ? [] : blockersOf(view, row).filter(({ id }) => !closing.has(id))
    if (row === undefined || blockers.length === 0) continue
    const names = blockers.map((other) => `#${other.number} ${other.id} (${other.status})`).join(', ')
    view.ws.warnings.push(`#${row.number} ${row.id} was closed although it is blocked by ${names}`)
  }
}

/** A person may close a task while an agent works on it. A claim ends with its task, so its holder finds out. */
function warnOfBusy(view: LedgerView, closed: readonly Task[]): void {
  const { ws } = view
  const rows = closed.filter((task) => task.status === 'completed').flatMap(({ uid }) => entry(view, uid) ?? [])
  for (const { row, host } of ws.actor.mode === 'human' ? busyTasks(view, rows) : []) {
    const lease = leaseIn(ws, row)
    if (host === null && lease?.path == null) continue
    const who = host === null ? `${lease?.holder} is still working on it` : `somebody on ${host} is still working on it`
    const next = host === null ? sentence`. ${command`kill ${row.number}`} ends that run and keeps its work.` : ''
    ws.warnings.push(sentence`#${row.number} ${row.id} was closed although ${who}${next}`)
  }
  for (const { number, id } of orphanedTasks(view, rows))
    ws.warnings.push(
      sentence`#${number} ${id} was closed, but the agent of a gza that has died may still work on it. ${command`kill ${number}`} ends it and keeps its work.`,
    )
}

function closeOne(view: LedgerView, task: Task, note: string | undefined): Task {
  const { ws } = view
  const authorship = { at: ws.now(), by: ws.actor.name }
  const told = note === undefined ? task : addNote(task, note, authorship, ws.random(8))
  const noted =
    ws.actor.mode === 'human' ? told : withdrawQuestions(told, { ...authorship, run: ws.actor.run }, ws.random(8))
  if (task.status === 'completed') return noted
  refuseOthersTask(ws, task, 'close')
  refuseLostLease(view, task)
  if (leaveToWorker(view, task)) return noted
  const head = readHead(ws.repo)
  const branch = head.kind === 'branch' ? head.branch : 'HEAD'
  const oid = head.oid === ws.repo.zeroOid ? null : head.oid
  const claim = claimOf(ws, task)
  const ended = claim === null ? noted : endClaimedRun(noted, claim, { ended_at: ws.now(), outcome: 'completed' })
  return close(ended, 'completed', authorship, { head: oid, branch, commits: commitsToLink(view, task) })
}

/** A claim ends with its task: if the task is opened again, anyone may take it. */
function releaseClaims(ws: Workspace, tasks: readonly Task[]): void {
  for (const task of tasks) {
    const claim = task.status === 'completed' ? claimOf(ws, task) : null
    if (claim !== null && ws.live !== null) releaseLease(ws.live, task.uid, claim.token, ws.now())
  }
}

/**
 * The worker of `gza work` closes the task that it runs, after its checks: what an agent reports meanwhile is recorded
 * and proves nothing, whichever variables the agent has lost. A person may close it.
 */
function leaveToWorker({ ws }: LedgerView, task: Task): boolean {
  const lease = leaseIn(ws, task)
  const isRunning = lease !== null && lease.path !== null && isHeld(lease, ws.now())
  if (!isRunning || ws.actor.mode === 'human') return false
  ws.warnings.push(`${task.id} will be closed by gza once your last commit has passed its checks`)
  return true
}

/**
 * A holder that lost the task cannot close it. Its run decides; without a run its name does: another one has claimed
 * the task, or was assigned to it later.
 */
function refuseLostLease({ ws }: LedgerView, task: Task): void {
  const lease = leaseIn(ws, task)
  const holder =
    takerElsewhere(ws, task) ??
    (ws.actor.run === undefined ? holderInstead(ws, task, lease) : whoHasTaken(ws, task, lease))
  if (holder === null) return
  const leave = sentence`Keep your commits where they are; tell ${holder} about them: ${command`note ${task.id} "…"`}.`
  throw new UserError('LEASE_LOST', `${task.id} now belongs to ${holder}`, {
    hint: sentence`${leave} To get another task: ${command`claim --next`}`,
  })
}

/** Its claim had expired, and another clone took the task. */
function takerElsewhere({ actor }: Workspace, { runs }: Task): string | null {
  if (actor.run === undefined && actor.mode === 'human') return null
  const isOwn = (claim: Run) => (actor.run === undefined ? claim.agent === actor.name : claim.run === actor.run)
  const own = runs.filter(({ claimed }) => claimed).filter(isOwn)
  const taker = runs.findLast(({ expired_claims = [] }) => own.some(({ run }) => expired_claims.includes(run)))
  // It may have claimed the task again since.
  const isLast = taker !== undefined && !own.some(({ attempt }) => attempt > taker.attempt)
  return isLast ? String(taker.agent ?? 'another agent') : null
}

/** A claim that a question released keeps its run, but the task may have been assigned to another since. */
function whoHasTaken({ actor }: Workspace, task: Task, lease: Lease | null): string | null {
  const assigned_agent = task.assigned_agent ?? null
  if (lease === null) return null
  if (lease.run !== actor.run) return lease.holder
  return lease.released_at === null || lease.holder === assigned_agent ? null : assigned_agent
}

function holderInstead({ actor, now }: Workspace, task: Task, lease: Lease | null): string | null {
  if (actor.mode === 'human') return null
  const isClaimed = lease !== null && lease.expires_at !== null && isHeld(lease, now())
  if (isClaimed && isOtherConnection(actor, lease)) return `another session of ${lease.holder}`
  if (isClaimed) return lease.holder === actor.name ? null : lease.holder
  const { assigned_agent = null } = task
  const hadIt = task.runs.some(({ claimed, agent }) => claimed && agent === actor.name)
  return hadIt && assigned_agent !== actor.name ? assigned_agent : null
}

function leaseIn(ws: Workspace, task: Pick<Task, 'uid'>): Lease | null {
  return ws.live === null ? null : leaseOf(ws.live, task.uid)
}
