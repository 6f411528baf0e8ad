import { processStartTime } from '../platform/processes/process-identity.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The name of a new run: when it began, and something random. */
export function newRun(ws: Workspace): string {
  return `${ws.now().replace(/\D/g, '').slice(0, 14)}-${ws.random(6)}`
}

/** By this a lease tells the process that has it from a later one with the same pid. */
export function thisWorker(): { pid: number; start_time: string | null } {
  return { pid: process.pid, start_time: processStartTime(process.pid) }
}
