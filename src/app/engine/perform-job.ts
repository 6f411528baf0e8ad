import type { Task } from '../../core/task.ts'
import type { RunResult } from '../../engine/job.ts'
import { failed, runTask } from '../../engine/run-task.ts'
import { releaseLease } from '../../state/sqlite/leases.ts'
import { finishRun } from '../../state/sqlite/live-runs.ts'
import { liveOf, type Workspace } from '../workspace.ts'
import { openDesk } from './desk.ts'
import { pauseAgent } from './pauses.ts'
import { recordEnd, recordStart } from './record-run.ts'
import type { Shift } from './shift.ts'
import type { TakenJob } from './take-job.ts'

export interface Finished {
  result: RunResult
  task: Task
  followUp: Task | null
}

interface Controls {
  cancel: AbortSignal
  /** Called when the agent's account has shown that it works. */
  answered: () => void
}

/** From the lease to its release: started, run, ended, released, in this order and each exactly once. */
export async function performJob(shift: Shift, taken: TakenJob & Controls): Promise<Finished> {
  const { job, cancel, answered } = taken
  const desk = openDesk(shift, job, cancel, answered)
  recordStart(shift.ws, job)
  const result = await runTask(job, desk).catch((error: Error) =>
    failed(desk, 'agent-error', error.stack ?? error.message),
  )
  return finishJob(shift.ws, taken, result)
}

/** Records how a run ended and gives the task free. */
export function finishJob(ws: Workspace, { job, lease }: TakenJob, result: RunResult): Finished {
  const { ended_at, outcome, reason = null } = result.end
  if (reason === 'usage-limit') pauseAgent(ws.env, job.agent.name, result.resetsAt, new Date().toISOString())
  const { task, followUp } = recordEnd(ws, job, lease, result)
  finishRun(liveOf(ws), job.run, { ended_at, outcome, reason })
  releaseLease(liveOf(ws), job.task.uid, lease.token, ended_at)
  return { result, task, followUp }
}
