import type { Desk, Job, Progress } from '../../engine/job.ts'
import { openRunLog } from '../../engine/run-log.ts'
import { ownExecutable } from '../../platform/scripts.ts'
import { leasesByLife } from '../../state/sqlite/leases.ts'
import { setChangedFiles, updateRun } from '../../state/sqlite/live-runs.ts'
import { liveOf } from '../workspace.ts'
import type { Shift } from './shift.ts'

/** What the engine is given to run one job: where to write down its steps, its progress and its log. */
export function openDesk(
  { ws, watcher }: Pick<Shift, 'ws' | 'watcher'>,
  job: Job,
  cancel: AbortSignal,
  answered: () => void,
): Desk {
  const live = liveOf(ws)
  const log = openRunLog(ws.repo, job.run, ws.env)
  return {
    repo: ws.repo,
    env: ws.env,
    binary: ownExecutable(),
    cancel,
    now: ws.now,
    busyBranches: () => leasesByLife(live, ws.now()).held.flatMap(({ branch }) => branch ?? []),
    step: (_job, step) => updateRun(live, job.run, { step }),
    progress: (_job, progress) => {
      updateRun(live, job.run, rowOf(progress))
      if (progress.files) setChangedFiles(live, job.run, progress.files)
      if (progress.tokensOut !== undefined || progress.action !== undefined) answered()
      watcher.progress(job, progress)
    },
    log: (_job, phase, stream, line, event) => log.write({ phase, stream, line, event }),
  }
}

function rowOf({ phase, action, session, tokensIn, tokensOut, costUsd }: Progress) {
  return {
    ...(phase !== undefined && { phase }),
    ...(action !== undefined && { last_action: action.slice(0, 200) }),
    ...(session !== undefined && { session }),
    ...(tokensIn !== undefined && { tokens_in: tokensIn }),
    ...(tokensOut !== undefined && { tokens_out: tokensOut }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
  }
}
