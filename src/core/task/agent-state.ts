/** The state of an agent, derived from its tasks. */
import { isUnstarted } from './status-predicates.ts'
import type { DerivedStatus } from './task.ts'

export type AgentStatus = 'idle' | 'busy' | 'blocked' | 'failed'

/** A task that an agent has: assigned to it, or taken by it. */
export interface HeldTask {
  number: number
  status: DerivedStatus
  /** It is being worked on now. */
  isRunning: boolean
  /** When its time ended, or its process disappeared, without a result. */
  silentSince: string | null
  /** What the agent waits for, according to its note. */
  blockedNote: string | null
  /** It failed while this agent had it, and not while an earlier agent had it. */
  isOwnFailure: boolean
  /** A person has stopped it. */
  isOnHold: boolean
}

export interface AgentState {
  status: AgentStatus
  /** The number of the task that determines the state. */
  current: number | null
  reason: string | null
}

/**
 * A running task decides first; then a silent or failed one, then a waiting one; a task that is only assigned also
 * makes the agent busy.
 */
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
  const free = open.find((task) => task.status === 'pending' && task.blockedNote === null && !task.isOnHold)
  if (free) return of('busy', free)
  const [waiting] = open
  if (waiting) return of('blocked', waiting, waiting.blockedNote ?? waitReason(waiting))
  return { status: 'idle', current: null, reason: null }
}

function waitReason({ number, status, isOnHold }: HeldTask): string {
  if (isOnHold) return `task #${number} is on hold`
  return status === 'failed' ? `task #${number} failed with another agent` : `task #${number} waits for others`
}

interface DatedNote {
  at: string
  by: string
  text: string
  retracted?: true
}

/**
 * `blocked: no test database`: the note that agents are asked to write. It counts as long as it is the newest note, and
 * only for the agent that has had the task since before it was written. Times have a resolution of one second. If a
 * task changes hands within a second, the note of its former agent does not count until the next second.
 */
export function blockedNote(
  notes: readonly DatedNote[],
  has: { since: string; before: readonly string[] },
): string | null {
  const last = notes.filter(({ retracted }) => !retracted).at(-1)
  if (last === undefined || last.at < has.since) return null
  if (last.at === has.since && has.before.includes(last.by)) return null
  return /^blocked:\s*(.+)/i.exec(last.text)?.[1] ?? null
}
