/**
 * Leases for agents that gza did not start. One agent wins, the lease expires, and an agent that lost it cannot
 * close the task.
 */

import type { Config } from '../../core/config/settings.ts'
import { nextAttempt } from '../../core/run/run-rules.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { editTask } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { readHead } from '../../platform/git/refs.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import {
  isHeld,
  type Lease,
  leaseOf,
  releaseLease,
  renewLease,
  settleClaim,
  type TakenLease,
  takeLease,
} from '../../state/live/leases.ts'
import { updateRun } from '../../state/live/live-runs.ts'
import { endClaimedRun, GIVEN_UP, noteHeartbeat } from '../../tasks/agent-claim.ts'
import { refuseInRun, refuseTaking } from '../../tasks/checks/run-rights.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { expiredElsewhere } from '../../workspace/ledger/running-elsewhere.ts'
import { agentsIn } from '../../workspace/views/list-agents.ts'
import { runningOn } from '../../workspace/views/task-status.ts'
import { viewTask } from '../../workspace/views/task-view.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import { isBlindRepeat, lookAtRemote } from '../look-at-remote.ts'
import { startedBy, thisWorker } from '../new-run.ts'
import { recordTaking } from '../record-run.ts'
import { freeTask, isClaim, retireRun } from '../retire-run.ts'
import { workableTask, workableTasks } from '../workable.ts'
import { MINUTES_AFTER_END, showConnection, untilInLedger } from './connection-claims.ts'
import { renewInLedger } from './renew-claim.ts'

export interface Claimed {
  task: TaskView
  /** With this in GZA_RUN, `done` knows that the holder is closing the task. */
  run: string
  expires_at: string
}

const MINUTES = 60

function defaultMinutes({ actor }: Workspace): number {
  return actor.connection === undefined ? MINUTES : MINUTES_AFTER_END
}

/** Claims the task, or the next one that is free. Null: nothing is ready. */
export async function claimTask(
  ws: Workspace,
  ref: string | null,
  options: { minutes?: number; takeOver?: boolean } = {},
): Promise<Claimed | null> {
  refuseInRun(ws, 'claim')
  if (options.takeOver) refuseTaking(ws, 'claim --take-over')
  noteHeartbeat(ws)
  showConnection(ws)
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  const asked = ref === null ? null : workableTask(view, ref, { ...options, command: 'claim' })
  for (const task of asked === null ? freeTasks(view, config) : [asked]) {
    if (isBlindRepeat(ws, task)) {
      const unseen = await lookAtRemote(ws)
      if (unseen !== null) ws.warnings.push(unseen)
      return claimTask(ws, ref, options)
    }
    const taken = tryClaim(ws, task, options)
    if (taken === null) continue
    await putAside(ws, taken.from)
    return recordClaim(ws, task, taken.lease)
  }
  if (asked !== null)
    throw new UserError('TASK_RUNNING', `Task ${asked.id} was claimed by another agent`, {
      hint: command`claim --next`,
    })
  return null
}

/**
 * A task that is assigned to another agent is left to it, unless that agent failed or its claim expired. A person may
 * take any.
 */
function freeTasks(view: LedgerView, config: Config): IteratorObject<Task, undefined> {
  const { mode, name } = view.ws.actor
  const failed = new Set(agentsIn(view).flatMap(({ agent, status }) => (status === 'failed' ? [agent] : [])))
  const isFree = ({ uid, assigned_agent, runs }: Task) =>
    mode === 'human' ||
    assigned_agent === undefined ||
    assigned_agent === name ||
    failed.has(assigned_agent) ||
    leaseOf(liveOf(view.ws), uid)?.released_at === null ||
    expiredElsewhere(view.ws, { uid, runs }).some(({ agent }) => agent === assigned_agent)
  return workableTasks(view, config)
    .map(({ task }) => task)
    .filter(isFree)
}

function tryClaim(
  ws: Workspace,
  task: Task,
  { minutes = defaultMinutes(ws), takeOver = false }: { minutes?: number; takeOver?: boolean },
): TakenLease | null {
  const now = ws.now()
  const expires_at = isoSeconds(Date.parse(now) + minutes * 60_000)
  const head = readHead(ws.repo)
  const run = ws.actor.run ?? `claim-${ws.random(12)}`
  const mine = { run, holder: ws.actor.name, machine: ws.machine, ...thisWorker(), expires_at }
  const { connection } = ws.actor
  const place = { head: head.oid, branch: head.kind === 'branch' ? head.branch : null, path: null, taken_at: now }
  const taken = takeLease(
    liveOf(ws),
    { uid: task.uid, ledger: ws.ledger, connection, ...mine, ...place },
    { now, takeOver },
  )
  if (taken === null) return null
  // Another agent may have claimed and closed it between our read and our lease. The ledger decides.
  const current = taskOf(ws.state, readLedger(ws).row.lid, task.uid)
  if (current?.status === 'pending') return taken
  releaseLease(liveOf(ws), task.uid, taken.lease.token, now)
  return null
}

/** A living worker ends its run itself and keeps its work. For a dead one, this does it. */
async function putAside(ws: Workspace, from: Lease | null): Promise<void> {
  if (from === null) return
  if (isHeld(from, ws.now())) updateRun(liveOf(ws), from.run, { cancel: 'kill' })
  else await retireRun(ws, from)
}

function recordClaim(ws: Workspace, task: Task, lease: Lease): Claimed {
  changeLedger(ws, (view) => {
    const current = taskOf(ws.state, view.row.lid, task.uid) as Task
    const run = {
      run: lease.run,
      attempt: nextAttempt(current),
      ...startedBy(ws),
      started_at: ws.now(),
      generation: current.generation,
      agent: lease.holder,
      claimed: true,
      ...(lease.expires_at !== null && { until: lease.connection === null ? lease.expires_at : untilInLedger(ws) }),
    }
    const taken = recordTaking(view, current, run)
    const assigned = editTask(taken, { assigned_agent: lease.holder }, { at: ws.now(), by: ws.actor.name })
    return { tasks: [assigned], subject: `claim ${task.id}`, result: assigned }
  })
  // Until here the lease belonged to this process: if it had died, the task would be free again.
  settleClaim(liveOf(ws), task.uid, lease.token)
  const view = readLedger(ws)
  return {
    task: viewTask(view, taskOf(ws.state, view.row.lid, task.uid) as Task),
    run: lease.run,
    expires_at: lease.expires_at as string,
  }
}

function notClaimed(view: LedgerView, { uid, id }: Task): UserError {
  const row = entry(view, uid)
  const host = row === undefined ? null : runningOn(view, row)
  if (row === undefined || host === null)
    return new UserError('NOT_CLAIMED', `${id} is not claimed by anyone`, { hint: command`claim --next` })
  return new UserError('NOT_CLAIMED', `${id} is being worked on in another clone, on ${host}`, {
    hint: sentence`It can be released only there. ${command`claim ${row.number} --take-over`} claims it here.`,
  })
}

/** Gives a claimed task back, or with `renew` keeps it longer. */
export function releaseTask(
  ws: Workspace,
  ref: string,
  options: { run?: string; renewMinutes?: number } = {},
): TaskView {
  refuseInRun(ws, 'release')
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const lease = leaseOf(liveOf(ws), task.uid)
  if (lease === null || lease.released_at !== null) throw notClaimed(view, task)
  if (!isClaim(lease)) {
    const who = `gza is running #${task.number} with ${lease.holder}`
    const fact = isHeld(lease, ws.now())
      ? `${who}; that is not a claim`
      : `#${task.number} is not claimed: its gza has died`
    throw new UserError('NOT_CLAIMED', fact, {
      hint: sentence`${command`kill ${task.number}`} ends the run and keeps its work.`,
    })
  }
  refuseOthers(ws, task, lease, options.run)
  noteHeartbeat(ws)
  if (options.renewMinutes !== undefined) {
    const until = isoSeconds(Date.parse(ws.now()) + options.renewMinutes * 60_000)
    renewLease(liveOf(ws), task.uid, lease.token, until)
    renewInLedger(ws, task, { run: lease.run, until })
  } else endClaim(view, task, lease)
  return viewTask(readLedger(ws), task)
}

function endClaim({ ws }: LedgerView, task: Task, lease: Lease): void {
  changeLedger(ws, (view) => {
    const current = taskOf(ws.state, view.row.lid, task.uid) as Task
    const ended = endClaimedRun(current, lease, { ended_at: ws.now(), ...GIVEN_UP, detail: 'released' })
    if (ended === current) return { tasks: [], subject: '', result: null }
    const free = freeTask(ended, lease, ws.now())
    return { tasks: [free], subject: `release ${task.id}`, result: null }
  })
  releaseLease(liveOf(ws), task.uid, lease.token, ws.now())
}

/** Two sessions of one client have the same name. Only the run distinguishes them. */
function refuseOthers(ws: Workspace, { number }: Task, lease: Lease, run = ws.actor.run): void {
  if (run === lease.run || (run === undefined && ws.actor.mode === 'human')) return
  if (ws.actor.connection !== undefined && lease.connection === ws.actor.connection) return
  const another = sentence`Take another task: ${command`claim --next`}`
  throw new UserError('LEASE_LOST', `#${number} is now held by ${lease.holder}`, {
    hint:
      run === undefined
        ? ws.actor.connection === undefined
          ? sentence`${howToIdentify(number)} ${another}`
          : another
        : sentence`${run} no longer holds it. ${another}`,
  })
}

function howToIdentify(number: number): Sentence {
  const run = sentence`the run that ${command`claim`} printed: GZA_RUN=RUN in the environment`
  return sentence`The holder identifies itself with ${run}, or ${command`release ${number} --run RUN`}.`
}
