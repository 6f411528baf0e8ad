/** How an agent is, derived from what it has (004). */
import { isUnstarted } from './status.ts'
import type { DerivedStatus } from './task.ts'

export type AgentStatus = 'idle' | 'busy' | 'blocked' | 'failed'

/** A task that an agent has: assigned to it, or taken by it. */
export interface HeldTask {
  number: number
  status: DerivedStatus
  /** It is being worked on now. */
  isRunning: boolean
  /** Its time was over, or its process gone, without a word. */
  silentSince: string | null
  /** What the agent said that it waits for. */
  blockedNote: string | null
  /** It failed in this agent's hands, and not in those of one that had it before. */
  isOwnFailure: boolean
}

export interface AgentState {
  status: AgentStatus
  /** The number of the task that tells it. */
  current: number | null
  reason: string | null
}

/** What runs tells most; then who fell silent or failed, then who waits; what is only assigned makes an agent busy too. */
export function agentState(tasks: readonly HeldTask[]): AgentState {
  const of = (status: AgentStatus, task: HeldTask, reason: string | null = null) => ({
    status,
    current: task.number,
    reason,
  })
  const running = tasks.find(({ isRunning }) => isRunning)
  if (running) return running.blockedNote === null ? of('busy', running) : of('blocked', running, running.blockedNote)
  const silent = tasks.find(({ silentSince }) => silentSince !== null)
  if (silent) return of('failed', silent, `silent since ${silent.silentSince}`)
  const failed = tasks.find(({ isOwnFailure }) => isOwnFailure)
  if (failed) return of('failed', failed, `task #${failed.number} failed`)
  const open = tasks.filter((task) => isUnstarted(task) || task.status === 'failed')
  const free = open.find(({ status, blockedNote }) => status === 'pending' && blockedNote === null)
  if (free) return of('busy', free)
  const [waiting] = open
  if (waiting) return of('blocked', waiting, waiting.blockedNote ?? waitReason(waiting))
  return { status: 'idle', current: null, reason: null }
}

function waitReason({ number, status }: HeldTask): string {
  return status === 'failed' ? `task #${number} failed with another agent` : `task #${number} waits for others`
}

interface SaidNote {
  at: string
  by: string
  text: string
  retracted?: true
}

/**
 * `blocked: no test database`: what agents are told to say in a note. It counts as long as it is the last word, and only
 * for whoever has the task since before it was said. Seconds cannot tell apart what was said before and after a task changed
 * hands within one, so the word of somebody who had it before does not count until the next.
 */
export function blockedNote(
  notes: readonly SaidNote[],
  has: { since: string; before: readonly string[] },
): string | null {
  const last = notes.filter(({ retracted }) => !retracted).at(-1)
  if (last === undefined || last.at < has.since) return null
  if (last.at === has.since && has.before.includes(last.by)) return null
  return /^blocked:\s*(.+)/i.exec(last.text)?.[1] ?? null
}
