import type { Run } from '../core/task/task.ts'
import { readClone } from '../platform/git/clone-id.ts'
import { processStartTime } from '../platform/processes/process-identity.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The name of a new run: its start time and a random part. */
export function newRun(ws: Workspace, now = ws.now()): string {
  return `${now.replace(/\D/g, '').slice(0, 14)}-${ws.random(6)}`
}

/** Which clone starts a run, and its host's name for people. The clone has its id, because a lease comes before a run. */
export function startedBy({ machine, repo }: Workspace): Pick<Run, 'machine' | 'clone'> {
  const { id } = readClone(repo.commonDir)
  return { machine, ...(id !== null && { clone: id }) }
}

/** Identifies the process that holds a lease, so that a later process with the same pid is not confused with it. */
export function thisWorker(): { pid: number; start_time: string | null } {
  return { pid: process.pid, start_time: processStartTime(process.pid) }
}
