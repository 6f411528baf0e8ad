import type { Task } from '../../core/task.ts'
import { pausedUntil } from './pauses.ts'
import type { ShiftState } from './shift.ts'
import { agentFor } from './take-job.ts'

/**
 * A client that prints plain text shows no sign that its account works. One at its limit says so within seconds, so one
 * that has run for longer is taken to be at work.
 */
const SILENT_PROOF_MS = 5000

/** No agent at its limit or out of order is called, and one whose account has not answered yet is tried by one run alone. */
export function mayCall(state: ShiftState, task: Task): boolean {
  const { name, speaksEvents } = agentFor(state.config, task, state.options)
  if (state.report.down.some(({ agent }) => agent === name) || isPaused(state, name)) return false
  if (state.proven.has(name)) return true
  const trying = [...state.running.values()].filter(({ job }) => job.agent.name === name)
  return trying.every(({ since }) => !speaksEvents && performance.now() - since > SILENT_PROOF_MS)
}

function isPaused({ ws, report }: ShiftState, agent: string): boolean {
  const until = pausedUntil(ws.env, agent, new Date().toISOString())
  if (until === null) return false
  if (!report.paused.some((known) => known.agent === agent)) report.paused.push({ agent, until })
  return true
}
