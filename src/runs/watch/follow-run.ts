import { runLogPath } from '../../engine/log/log-record.ts'
import { readRunLog } from '../../engine/log/read-run-log.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { RunView } from './list-and-kill.ts'
import { loggedEvents } from './logged-events.ts'
import { hasEnded, type LogPart, logEnd } from './read-logs.ts'

/** The log of a run that has not ended, from its start until it ends or `stop` is aborted. */
export async function* followRun(
  ws: Workspace,
  { run, number, title, attempt, agent, uid }: RunView,
  stop: AbortSignal,
): AsyncGenerator<LogPart> {
  yield { kind: 'run', run, number, title, attempt, agent }
  const reading = readRunLog(runLogPath(ws.repo, run), { isOver: () => hasEnded(ws, run), cancel: stop })
  for await (const record of reading) yield { kind: 'line', record, events: loggedEvents(record.event) }
  if (!stop.aborted) yield { kind: 'end', end: logEnd(ws, `task-${uid}`, run) }
}
