/** Takes a task from its current holder, so that it can be assigned to another agent. */
import { command, sentence } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { fenceLease, isHeld, type Lease, leaseOf } from '../../state/live/leases.ts'
import { endClaimedRun, GIVEN_UP } from '../../tasks/agent-claim.ts'
import { refuseTaking } from '../../tasks/checks/run-rights.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { runningOn } from '../../workspace/views/task-status.ts'
import { liveOf } from '../../workspace/workspace.ts'
import { lookAtRemote } from '../look-at-remote.ts'
import { endAbandoned } from '../recover-runs.ts'
import { isClaim } from '../retire-run.ts'

/** Returns the task without its former holder. */
export type Taken = (task: Task) => Task

/**
 * A claim ends immediately, and its holder can no longer close or release the task. A task that a worker of gza is
 * running is refused: a person must end that run first. The work of a dead worker is kept first.
 */
export async function takeFromHolder(view: LedgerView, task: Task, name: string | null): Promise<Taken> {
  const keep: Taken = (same) => same
  const lease = view.ws.live === null ? null : leaseOf(view.ws.live, task.uid)
  if (lease === null || lease.released_at !== null) {
    refuseElsewhere(view, task, name)
    return keep
  }
  if (lease.holder === name && isHeld(lease, view.ws.now())) return keep
  if (isClaim(lease)) return fence(view, lease, name)
  if (isHeld(lease, view.ws.now()))
    return (task.assigned_agent ?? null) === name ? keep : refuseRunning(task, lease, name)
  const unseen = await lookAtRemote(view.ws)
  if (unseen !== null) view.ws.warnings.push(unseen)
  await endAbandoned(view.ws, lease)
  return keep
}

function fence({ ws }: LedgerView, lease: Lease, name: string | null): Taken {
  if (isHeld(lease, ws.now()) && lease.run !== ws.actor.run)
    refuseTaking(ws, `assign of a task that ${lease.holder} has claimed`)
  const holder = name ?? ws.actor.name
  if (!fenceLease(liveOf(ws), lease, { run: `assign-${ws.random(12)}`, holder }, ws.now()))
    throw new UserError('TASK_RUNNING', 'The task was claimed or given back meanwhile', {
      hint: 'Nothing was changed. Run the command again.',
    })
  const end = { ended_at: ws.now(), ...GIVEN_UP, detail: `assigned to ${name ?? 'nobody'}` }
  return (task) => endClaimedRun(task, lease, end)
}

function refuseRunning({ number }: Task, { holder }: Lease, name: string | null): never {
  throw new UserError('TASK_RUNNING', `gza is running #${number} with ${holder}`, {
    hint: sentence`${command`kill ${number}`} ends that and keeps its work; then ${command`assign ${number} ${name ?? '--none'}`}`,
  })
}

function refuseElsewhere(view: LedgerView, task: Task, name: string | null): void {
  const row = entry(view, task.uid)
  const host = row === undefined ? null : runningOn(view, row)
  if (host === null || (task.assigned_agent ?? null) === name) return
  throw new UserError('TASK_RUNNING', `#${task.number} is being worked on in another clone, on ${host}`, {
    hint: sentence`${command`claim ${task.number} --take-over`} takes it from there; then ${command`assign ${task.number} ${name ?? '--none'}`}`,
  })
}
