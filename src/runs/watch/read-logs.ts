import { compareText } from '../../core/ledger/canonical.ts'
import { command } from '../../core/sentence.ts'
import type { Run, Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { type LogRecord, runLogPath } from '../../engine/log/log-record.ts'
import { readRunLog } from '../../engine/log/read-run-log.ts'
import { fileExists } from '../../platform/files/files.ts'
import { leasesByLife } from '../../state/live/leases.ts'
import { liveRun, runsOf } from '../../state/live/live-runs.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { isOwnRun } from '../../workspace/ledger/running-elsewhere.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { startedBy } from '../new-run.ts'
import { type AgentEvent, loggedEvents } from './logged-events.ts'
import { commandFor } from './next-command.ts'

export type LogPart =
  | { kind: 'run'; run: string; number: number; title: string; attempt: number; agent: string }
  | { kind: 'line'; record: LogRecord; events: AgentEvent[] }
  /** Null: it is still running. */
  | { kind: 'end'; end: Run | null }

/** The log of a task's latest run from its start; with `follow`, until the run ends. */
export async function* readLogs(ws: Workspace, ref: string, options: { follow: boolean }): AsyncGenerator<LogPart> {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const number = entry(view, task.uid)?.number ?? task.number
  const { run, attempt, agent } = newestLogged(view, task, ref)
  yield { kind: 'run', run, number, title: task.title ?? task.content, attempt, agent }
  const isOver = () => hasEnded(ws, run)
  for await (const record of readRunLog(runLogPath(ws.repo, run), options.follow ? { isOver } : {})) {
    yield { kind: 'line', record, events: loggedEvents(record.event) }
  }
  yield { kind: 'end', end: logEnd(ws, task.id, run) }
}

/** How the ledger says that a run has ended; null: it does not. */
export function logEnd(ws: Workspace, ref: string, run: string): Run | null {
  const now = findTask(readLedger(ws), ref).runs.find((each) => each.run === run)
  return now?.ended_at === undefined ? null : now
}

type Started = Pick<Run, 'run' | 'attempt' | 'machine' | 'clone' | 'started_at'> & { agent: string }

/** The newest run in the ledger or in this clone: a run that died early may be in only one of them. */
export function newestLogged(view: LedgerView, task: Task, ref: string): Started {
  const { ws } = view
  const row = entry(view, task.uid)
  const recorded = task.runs.map((run) => ({ ...run, agent: String(run.agent ?? 'agent') }))
  const local = ws.live === null ? [] : runsOf(ws.live, task.uid).map((run) => ({ ...run, ...startedBy(ws) }))
  const runs: Started[] = [...recorded, ...local].sort(byStart)
  const newest = runs.findLast(({ run }) => fileExists(runLogPath(ws.repo, run)))
  if (newest) return newest
  const last = runs.at(-1)
  if (last === undefined)
    throw new UserError('NO_RUNS', `${task.id} has never run`, {
      hint: row === undefined ? command`show ${ref}` : commandFor(view, row),
    })
  const where = isOwnRun(ws, task.uid, last)
    ? 'gza did not start it, or its log was removed'
    : `it ran on ${last.machine}`
  throw new UserError('NO_LOG', `No log of ${task.id} is here: ${where}`, { hint: command`show ${ref}` })
}

/** Two attempts may start within one second. Then their number decides. */
function byStart(a: Started, b: Started): number {
  return compareText(a.started_at, b.started_at) || a.attempt - b.attempt
}

/** Recorded as ended, or no process is left that could record it. */
export function hasEnded({ live, now }: Workspace, run: string): boolean {
  if (live === null || liveRun(live, run)?.ended_at !== null) return true
  return leasesByLife(live, now()).held.every((lease) => lease.run !== run)
}
