import { processStartTime } from '../platform/processes/process-identity.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The name of a new run: its start time and a random part. */
export function newRun(ws: Workspace): string {
  return `${ws.now().replace(/\D/g, '').slice(0, 14)}-${ws.random(6)}`
}

/** Identifies the process that holds a lease, so that a later process with the same pid is not confused with it. */
export function thisWorker(): { pid: number; start_time: string | null } {
  return { pid: process.pid, start_time: processStartTime(process.pid) }
}
