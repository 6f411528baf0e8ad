/** `gza work --fleet`: hands the queue to the fleet and shows what becomes of its tasks. The work goes on without it. */

import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { isOpenRun } from '../core/task/open-runs.ts'
import { isPending } from '../core/task/status-predicates.ts'
import { type Run, type Task, titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { syncLedgers } from '../exchange/remote/sync-ledger.ts'
import { taskOf, tasksInOrder } from '../state/index/read-tasks.ts'
import { readyEntries } from '../state/index/ready-entries.ts'
import { chooseRemote } from '../workspace/choose-remote.ts'
import { readMembership } from '../workspace/fleet/fleet-membership.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface FollowOptions {
  /** None: all open tasks. */
  refs: readonly string[]
  /** Aborted: follow no longer. */
  stop: AbortSignal
  happened: (event: FleetEvent) => void
}

/** Something that a run of the fleet has done, as the ledger tells it. */
export interface FleetEvent {
  number: number
  title: string
  machine: string
  what: 'started' | 'completed' | 'failed' | 'interrupted'
  detail: string | null
}

export interface FollowedWork {
  fleet: string
  tasks: { number: number; id: string; title: string; status: Task['status'] }[]
  /** False: somebody has stopped following. */
  is_over: boolean
}

const LOOK_MS = 2000

export async function followWork(ws: Workspace, { refs, stop, happened }: FollowOptions): Promise<FollowedWork> {
  assertAllowed('work', ws.actor)
  const remote = chooseRemote(ws, ws.namedLedger)
  await syncLedgers(ws, { remote, only: ws.ledger })
  const view = readLedger(ws)
  const fleet = readMembership(view)?.fleet ?? null
  if (fleet === null)
    throw new UserError('NOT_IN_FLEET', `The queue of ${ws.ledger} does not belong to a fleet`, {
      hint: command`fleet init`,
    })
  const uids = chosen(view, refs)
  const seen = new Map(uids.map((uid) => [uid, new Map(runsOf(view, uid).map((run) => [run.run, stateOf(run)]))]))
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  stop.addEventListener('abort', () => resolve())
  for (;;) {
    const now = readLedger(ws)
    for (const [uid, runs] of seen) reportNews(now, uid, { runs, happened })
    const tasks = uids.flatMap((uid) => taskOf(ws.state, now.row.lid, uid) ?? [])
    const isOver = !isAnythingLeft(now, tasks)
    if (isOver || stop.aborted) return { fleet, is_over: isOver, tasks: tasks.map(shown) }
    await Promise.race([stopped, Bun.sleep(LOOK_MS)])
    if (!stop.aborted) await syncLedgers(ws, { remote, only: ws.ledger })
  }
}

function chosen(view: LedgerView, refs: readonly string[]): string[] {
  if (refs.length > 0) return refs.map((ref) => findTask(view, ref).uid)
  const open = [...tasksInOrder(view.ws.state, view.row.lid)].filter((task) => isPending(task) && !task.deleted)
  return open.map(({ uid }) => uid)
}

function runsOf(view: LedgerView, uid: string): Run[] {
  return taskOf(view.ws.state, view.row.lid, uid)?.runs ?? []
}

function stateOf({ ended_at, outcome }: Run): FleetEvent['what'] {
  return ended_at === undefined ? 'started' : ((outcome ?? 'interrupted') as FleetEvent['what'])
}

function reportNews(
  view: LedgerView,
  uid: string,
  { runs, happened }: { runs: Map<string, string>; happened: FollowOptions['happened'] },
): void {
  const task = taskOf(view.ws.state, view.row.lid, uid)
  if (task === null) return
  for (const run of task.runs) {
    const what = stateOf(run)
    if (runs.get(run.run) === what) continue
    runs.set(run.run, what)
    const detail = typeof run.detail === 'string' ? run.detail : null
    happened({ number: task.number, title: titleOf(task), machine: run.machine, what, detail })
  }
}

/** Whether a run of them is open, or one of them can start. All others wait for a person. */
function isAnythingLeft(view: LedgerView, tasks: readonly Task[]): boolean {
  const open = tasks.filter((task) => isPending(task))
  if (open.some(({ runs }) => runs.some(isOpenRun))) return true
  const wanted = new Set(open.map(({ uid }) => uid))
  for (const { uid } of readyEntries(view.ws.state, view.row.lid)) if (wanted.has(uid)) return true
  return false
}

function shown(task: Task) {
  return { number: task.number, id: task.id, title: titleOf(task), status: task.status }
}
