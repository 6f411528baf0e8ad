import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { LANDING, leasesByLife } from '../../state/live/leases.ts'
import { type LiveRun, openRuns, updateRun } from '../../state/live/live-runs.ts'
import { entry, findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { runningOn } from '../../workspace/views/task-status.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import { endDeadRun, findDeadRuns, warnOfDeadRuns } from './dead-runs.ts'

export type { LiveRun }

/** The current runs. */
export function listRuns(ws: Workspace): LiveRun[] {
  if (ws.live === null) return []
  const held = new Set(leasesByLife(ws.live, ws.now()).held.map(({ run }) => run))
  return openRuns(ws.live).filter(({ run }) => held.has(run))
}

/** A run as `ps` shows it. */
export interface ShownRun extends LiveRun {
  /** Set if its supervisor is dead: its processes that still run. */
  orphan: { pids: number[] } | null
}

/** The current runs, then those whose supervisor is dead. */
export function listAllRuns(ws: Workspace): ShownRun[] {
  const dead = findDeadRuns(ws)
  warnOfDeadRuns(ws, dead)
  const orphans = dead.map(({ run, pids }) => ({ ...run, orphan: { pids } }))
  return [...listRuns(ws).map((run) => ({ ...run, orphan: null })), ...orphans]
}

export interface KilledRun extends ShownRun {
  /** What was done about the run of a dead worker; null: its worker is alive, and ends it. */
  ended: string | null
}

/** Asks the worker of a task to end its run now, or ends the run of a dead one. The work is kept. */
export async function killRun(ws: Workspace, ref: string): Promise<KilledRun> {
  assertAllowed('work', ws.actor)
  const dead = findDeadRuns(ws)
  const { uid, id } = runningTask(ws, ref, [...listRuns(ws), ...dead.map(({ run }) => run)])
  const run = listRuns(ws).find((each) => each.uid === uid)
  if (run !== undefined) {
    updateRun(liveOf(ws), run.run, { cancel: 'kill' })
    return { ...run, orphan: null, ended: null }
  }
  const found = dead.find((each) => each.run.uid === uid)
  if (found === undefined) throw notRunning(ws, { uid, id })
  return { ...found.run, orphan: { pids: found.pids }, ended: await endDeadRun(ws, found) }
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
