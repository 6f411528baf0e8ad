import type { Task } from '../../core/task/task.ts'
import { pausedUntil } from '../../runs/spend/agent-pauses.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'
import { firstCalled } from './first-called.ts'

/** No agent at its limit or out of order is called, and one whose account has not answered yet is tried by one run alone. */
export function mayCall(session: WorkSession, task: Task): boolean {
  const { ws, config, options, slots, report } = session
  const { name } = firstCalled(readLedger(ws), config, task, options)
  if (report.down.some(({ agent }) => agent === name) || isPaused(session, name)) return false
  if (slots.proven.has(name)) return true
  const trying = [...slots.running.values()].filter(({ plan }) => plan.worker.agent.name === name)
  // For each that seems to be at work one more may try, until the first has proven it.
  const working = trying.filter(({ probe }) => probe.isAtWork()).length
  return trying.length < Math.max(1, 2 * working)
}

function isPaused({ ws, report }: WorkSession, agent: string): boolean {
  const until = pausedUntil(ws, agent)
  if (until === null) return false
  if (!report.paused.some((known) => known.agent === agent)) report.paused.push({ agent, until })
  return true
}
