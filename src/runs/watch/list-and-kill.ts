import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { LANDING, leasesByLife } from '../../state/live/leases.ts'
import { type LiveRun, openRuns, updateRun } from '../../state/live/live-runs.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { runningOn } from '../../workspace/views/task-status.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import { endDeadRun, findDeadRuns, warnOfDeadRuns } from './dead-runs.ts'

/** The current runs. */
export function listRuns(ws: Workspace): LiveRun[] {
  if (ws.live === null) return []
  const held = new Set(leasesByLife(ws.live, ws.now()).held.map(({ run }) => run))
  return openRuns(ws.live).filter(({ run }) => held.has(run))
}

/** A run as faces show it. Its other columns are for recovery. */
export interface RunView extends Pick<LiveRun, (typeof SHOWN)[number]> {
  id: string
}

const SHOWN = [
  ...(['run', 'number', 'uid', 'ledger', 'title', 'type', 'attempt', 'agent', 'phase', 'step', 'started_at'] as const),
  ...(['last_action', 'session', 'tokens_in', 'tokens_out', 'cost_usd', 'turns', 'cancel'] as const),
]

/** The current runs, as faces show them. */
export function viewRuns(ws: Workspace): RunView[] {
  const view = readLedger(ws)
  return listRuns(ws).map((run) => viewRun(view, run))
}

/** Its task may have left the ledger. A landing has no task. */
function viewRun(view: LedgerView, run: LiveRun): RunView {
  const { id = run.uid.startsWith(LANDING) ? run.uid : `task-${run.uid.slice(0, 12)}` } = entry(view, run.uid) ?? {}
  const fields = Object.fromEntries(SHOWN.map((name) => [name, run[name]])) as unknown as Omit<RunView, 'id'>
  return { id, ...fields }
}

/** A run as `ps` shows it. */
export interface ShownRun extends RunView {
  /** Set if its supervisor is dead: its processes that still run. */
  orphan: { pids: number[] } | null
}

/** The current runs, then those whose supervisor is dead. */
export function listAllRuns(ws: Workspace): ShownRun[] {
  const dead = findDeadRuns(ws)
  warnOfDeadRuns(ws, dead)
  const view = readLedger(ws)
  const orphans = dead.map(({ run, pids }) => ({ ...viewRun(view, run), orphan: { pids } }))
  return [...viewRuns(ws).map((run) => ({ ...run, orphan: null })), ...orphans]
}

export interface KilledRun extends ShownRun {
  /** What was done about the run of a dead worker; null: its worker is alive, and ends it. */
  detail: string | null
}

/**
 * Asks the worker of a task to end its run now, or ends the run of a dead one. The work is kept. `only`: the run that
 * the caller saw; a later one of the same task is left alone.
 */
export async function killRun(ws: Workspace, ref: string, only?: string): Promise<KilledRun> {
  assertAllowed('kill', ws.actor)
  const dead = findDeadRuns(ws)
  const { uid, id } = runningTask(ws, ref, [...listRuns(ws), ...dead.map(({ run }) => run)])
  const isMeant = (each: LiveRun) => each.uid === uid && (only === undefined || each.run === only)
  const run = listRuns(ws).find(isMeant)
  if (run !== undefined) {
    updateRun(liveOf(ws), run.run, { cancel: 'kill' })
    return { ...viewRun(readLedger(ws), run), orphan: null, detail: null }
  }
  const found = dead.find((each) => isMeant(each.run))
  if (found === undefined) throw only === undefined ? notRunning(ws, { uid, id }) : runEnded(id)
  const shown = viewRun(readLedger(ws), found.run)
  return { ...shown, orphan: { pids: found.pids }, detail: await endDeadRun(ws, found) }
}

function runEnded(id: string): UserError {
  return new UserError('NOT_RUNNING', `This run of ${id} has ended`, { hint: 'Nothing was done.' })
}

function notRunning(ws: Workspace, { uid, id }: { uid: string; id: string }): UserError {
  const view = readLedger(ws)
  const row = entry(view, uid)
  const host = row === undefined ? null : runningOn(view, row)
  if (row === undefined || host === null)
    return new UserError('NOT_RUNNING', `${id} is not running here`, { hint: command`ps` })
  return new UserError('NOT_RUNNING', `${id} is not running here, but in another clone, on ${host}`, {
    hint: sentence`It can be ended only there. ${command`work ${row.number} --take-over`} starts it here too.`,
  })
}

/** A task that was deleted or moved away while it ran is found among the runs, as `ps` names it. */
function runningTask(ws: Workspace, ref: string, runs: readonly LiveRun[]): { uid: string; id: string } {
  if (ref.startsWith(LANDING)) return { uid: ref, id: ref }
  try {
    return findTask(readLedger(ws), ref)
  } catch (error) {
    const run = runs.find(({ number, uid }) => `${number}` === ref.replace(/^#/, '') || isPrefix(ref, uid))
    if (run === undefined) throw error
    return { uid: run.uid, id: `task-${run.uid.slice(0, 12)}` }
  }
}

function isPrefix(ref: string, uid: string): boolean {
  const [, hex] = /^task-([0-9a-f]{4,40})$/.exec(ref) ?? []
  return hex !== undefined && uid.startsWith(hex)
}
