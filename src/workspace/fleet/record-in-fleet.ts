/**
 * Changes of tasks in a clone of a fleet worker. Its ledger only follows the remote: the change is a fact that the fleet
 * accepts or refuses, and the remote's ledger moves first.
 */

import type { FactKind } from '../../core/fleet/decide-facts.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { quickStat } from '../../platform/files/quick-stat.ts'
import { ownExecutable } from '../../platform/files/scripts.ts'
import { type RefUpdate, readRef } from '../../platform/git/refs.ts'
import { runProgram } from '../../platform/processes/run-program.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { liveRun } from '../../state/live/live-runs.ts'
import type { Decision } from '../ledger/change-ledger.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { swapLedgers } from '../ledger/swap-ledgers.ts'
import { alsoFor, ledgerRef, type Workspace } from '../workspace.ts'

/** Where the ledgers of the remote are in a clone of a worker. Nothing else fetches there. */
export const FOLLOWED = 'refs/gza/fleet/tasks/'

/** It makes a clone that of a worker, and names the worker's socket. `changeLedger` looks for it. */
export function fleetCloneFile(commonDir: string): string {
  return `${commonDir}/gza/fleet-clone`
}

/** The clone belongs to a worker of a fleet: its ledger follows the remote, and nothing is written here first. */
export function isFleetClone({ commonDir }: { commonDir: string }): boolean {
  return quickStat(fleetCloneFile(commonDir)) !== null
}

/** What a run asks its worker to have written. */
export interface FactRequest {
  kind: FactKind
  run: string
  uid: string
  subject: string
  actor: string
  /** One line for each task. */
  tasks: string[]
  /** Texts beside the tasks, by path. */
  artifacts: Record<string, string>
  /** The task's own branch, where it is now; null: it has none. */
  work: { branch: string; head: string } | null
}

/** `tip`: the remote's ledger, which has the fact. */
export type FactReply = { tip: string } | { refused: string }

export function recordInFleet<T>(ws: Workspace, decide: (view: LedgerView) => Decision<T>): T {
  const view = readLedger(ws)
  const decision = decide(view)
  if (decision.tasks.length === 0 && (decision.artifacts?.size ?? 0) === 0) return decision.result
  const request = requestOf(ws, view, decision)
  const ended = runProgram([ownExecutable(), '__fleet', 'fact'], {
    cwd: ws.repo.dir,
    env: ws.env,
    input: JSON.stringify(request),
  })
  const reply = replyOf(ended?.code === 0 ? ended.stdout : '')
  if ('refused' in reply)
    throw new UserError('LEASE_LOST', `The fleet did not accept this from run ${request.run}: ${reply.refused}`, {
      hint: `The work of the run is kept under refs/gza/runs/${request.run} on the remote.`,
    })
  followFleet(ws)
  return decision.result
}

function replyOf(text: string): FactReply {
  try {
    return JSON.parse(text) as FactReply
  } catch {
    return { refused: 'its worker is gone' }
  }
}

/** Takes over the remote's ledger, as the worker has last fetched it. What is only here is dropped. */
export function followFleet(ws: Workspace): void {
  const tip = readRef(ws.repo, FOLLOWED + ws.ledger)
  const ref = ledgerRef(ws.ledger)
  const mine = readRef(ws.repo, ref)
  if (tip === null || tip === mine) return
  // In a person's name: the guard around an agent must not take it for the agent's doing.
  const person: Workspace['actor'] = { name: 'gza', mode: 'human', source: 'fleet' }
  const moves = [{ ref, to: tip, from: mine } satisfies RefUpdate]
  if (!swapLedgers(alsoFor(ws, { ledger: ws.ledger, actor: person }), moves, 'gza: follow the fleet')) followFleet(ws)
}

function requestOf(ws: Workspace, view: LedgerView, decision: Decision<unknown>): FactRequest {
  const { run, name } = ws.actor
  const live = run === undefined || ws.live === null ? null : liveRun(ws.live, run)
  if (
    run === undefined ||
    live === null ||
    decision.joined ||
    decision.undoes ||
    decision.moves ||
    decision.movesBefore
  )
    throw new UserError('FLEET_CLONE', 'This clone belongs to a worker of a fleet: only its runs change tasks here', {
      hint: 'Change them in a clone of your own, and sync it.',
    })
  const task = taskOf(ws.state, view.row.lid, live.uid)
  const after = decision.tasks.find(({ uid }) => uid === live.uid)
  const artifacts = [...(decision.artifacts ?? [])].map(([path, content]) => {
    if (typeof content !== 'string') throw new Error(`${path} is not a text`)
    return [path, content] as const
  })
  return {
    kind: kindOf(task, after, run),
    ...{ run, uid: live.uid, subject: decision.subject, actor: name },
    tasks: decision.tasks.map(taskLine),
    artifacts: Object.fromEntries(artifacts),
    work: workOf(ws, after ?? task),
  }
}

function kindOf(before: Task | null, after: Task | undefined, run: string): FactKind {
  const find = (task: Task | null | undefined) => task?.runs.find((each) => each.run === run)
  if (find(after) === undefined) return 'change'
  if (find(before) === undefined) return 'started'
  return find(after)?.ended_at !== undefined && find(before)?.ended_at === undefined ? 'ended' : 'change'
}

function workOf({ repo }: Workspace, task: Task | null): FactRequest['work'] {
  if (task?.branch === undefined) return null
  const head = readRef(repo, `refs/heads/${task.branch}`)
  return head === null ? null : { branch: task.branch, head }
}
