/** One agent call: spawned under the guard, watched to its end, described by what it said and how it ended. */
import type { Agent, AgentEvent, ErrorCode, Spent } from '../../agents/agent.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import type { Env } from '../../platform/git/git.ts'
import { type LineAnswer, type PhaseEnd, supervise } from '../supervise/supervise.ts'
import { makeRedact } from './redact.ts'
import type { Meter } from './run-plan.ts'

export interface PhaseOrder {
  agent: Agent
  prompt: string
  access: 'work' | 'read-only'
  cwd: string
  /** The guarded environment; what the client itself needs is added. */
  env: Env
  run: string
  model: string | null
  meter: Meter
  resume: { session: string; spent: Spent } | null
  timeoutMs: number
  stallMs: number
  cancel: AbortSignal
  now: () => string
  isRoot: boolean
  onEvent: (event: AgentEvent) => void
  onLine: (stream: 'out' | 'err', line: string, events: readonly AgentEvent[]) => void
}

export interface PhaseReport {
  end: PhaseEnd
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  survivors: number
  session: string | null
  /** What it said last: the result's text, else its last words. */
  text: string
  /** All that a client without events has printed: of such a one nobody knows where its last message begins. */
  printed: string
  usage: { tokensIn: number; tokensOut: number; costUsd: number; turns: number }
  /** null: nothing speaks against it. What the work is worth, git and the checks decide. */
  failure: { reason: FailureReason; detail: string; resetsAt: string | null } | null
}

export async function runPhase(order: PhaseOrder): Promise<PhaseReport> {
  const { agent, meter } = order
  const spent = meter.usedUp()
  if (spent !== null) return notBegun(spent)
  const call = {
    prompt: order.prompt,
    access: order.access,
    cwd: order.cwd,
    isRoot: order.isRoot,
    ...(order.model !== null && { model: order.model }),
    ...(meter.left.turns !== null && { maxTurns: meter.left.turns }),
    ...(meter.left.usd !== null && { maxCostUsd: meter.left.usd }),
    ...(order.resume !== null && { resume: order.resume.session }),
  }
  const invocation = agent.invoke(call)
  const env = { ...order.env, ...withoutGuardNames(invocation.env) }
  const phaseOutcome = listen(order)
  const { end, survivors } = await supervise({
    argv: invocation.argv,
    cwd: order.cwd,
    env,
    ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
    marker: order.run,
    timeoutMs: order.timeoutMs,
    stallMs: order.stallMs,
    cancel: order.cancel,
    onLine: phaseOutcome.onLine,
  })
  const failure = whoseBudget(meter, judgePhase(order, end, phaseOutcome.said))
  // In the client's own words, and for the ledger, which is pushed.
  return { end, survivors, ...phaseOutcome.report(), failure: makeRedact(env)(failure) }
}

/** An earlier phase of the run, or another worker, has spent what was left. */
function notBegun(reason: FailureReason): PhaseReport {
  const detail = 'nothing was left to begin with'
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  const end = { kind: 'over-budget', what: detail } as const
  return { end, survivors: 0, session: null, text: '', printed: '', usage, failure: { reason, detail, resetsAt: null } }
}

/** A phase that was stopped for what the task or the day had left is no failed attempt. */
function whoseBudget(meter: Meter, failure: PhaseReport['failure']): PhaseReport['failure'] {
  return failure?.reason === 'over-budget' ? { ...failure, reason: meter.usedUp() ?? failure.reason } : failure
}

/** What a client or a configuration wants in the environment may not loosen the guard, which lives there. */
function withoutGuardNames(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(GIT_|GZA_|PATH$|BUN_)/.test(name)))
}

interface Said {
  result: Extract<AgentEvent, { kind: 'result' }> | null
  limit: Extract<AgentEvent, { kind: 'limit' }> | null
  error: Extract<AgentEvent, { kind: 'error' }> | null
}

/** No review is longer, and a client may print without end. */
const LONGEST_TEXT = 200_000

/** Collects what the client says, and stops it once it has given its result or spent its budget. */
function listen(order: PhaseOrder) {
  const read = order.agent.reader(order.resume?.spent)
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  const said: Said = { result: null, limit: null, error: null }
  let session: string | null = null
  let words = ''
  let printed = ''
  function take(event: AgentEvent): void {
    if (order.agent.speaksEvents && (event.kind === 'text' || event.kind === 'tool')) said.error = null
    if (event.kind === 'session') session = event.id
    else if (event.kind === 'turn') usage.turns = event.count
    else if (event.kind === 'text') words = event.text
    else if (event.kind === 'tokens') Object.assign(usage, { tokensIn: event.input, tokensOut: event.output })
    else if (event.kind === 'cost') usage.costUsd = event.usd
    else if (event.kind === 'result') usage.turns ||= event.turns ?? 0
    if (event.kind in said) Object.assign(said, { [event.kind]: event })
    order.onEvent(event)
  }
  return {
    said,
    report: () => ({ session, usage, text: said.result?.text || words, printed }),
    onLine(stream: 'out' | 'err', line: string): LineAnswer {
      const events = read(line)
      order.onLine(stream, line, events)
      if (stream === 'out' && !order.agent.speaksEvents) printed = `${printed}${line}\n`.slice(-LONGEST_TEXT)
      for (const event of events) take(event)
      const passed = order.meter.spend({ usd: usage.costUsd, turns: usage.turns })
      // Who names its cost at its end has done the work: to do it once more would only cost more.
      if (passed !== null && !said.result?.ok) return { overBudget: passed }
      return said.result === null ? undefined : 'stop'
    },
  }
}

/** A result is judged by facts: exit code 0 proves nothing, and a missing result is a failure of a client that gives one. */
function judgePhase({ agent, now }: PhaseOrder, end: PhaseEnd, said: Said): PhaseReport['failure'] {
  const failure = (reason: FailureReason, detail: string, resetsAt: string | null = null) => ({
    reason,
    detail,
    resetsAt,
  })
  if (said.limit) return failure('usage-limit', said.limit.message, resetOf(agent, said.limit, now()))
  switch (end.kind) {
    case 'timed-out':
      return refusedService(said) ?? failure('timed-out', 'the phase reached its time limit')
    case 'stalled':
      return refusedService(said) ?? failure('stalled', 'the agent said nothing for too long')
    case 'cancelled':
      return failure('interrupted', 'stopped by a person')
    case 'over-budget':
      return failure('over-budget', end.what)
    case 'not-started':
      return failure('not-started', end.why)
    case 'signalled':
      if (said.result?.ok) return null
      return said.error
        ? failure(REASON_OF_ERROR[said.error.code], said.error.message)
        : failure('agent-error', `ended by ${end.signal}`)
    case 'exited':
      return judgeExit(agent, end.code, said, failure)
    default:
      return end satisfies never
  }
}

/** The client was still trying again when its time was over: that is not the task's fault. */
function refusedService({ error }: Said): PhaseReport['failure'] {
  if (error?.code !== 'auth' && error?.code !== 'overloaded') return null
  return { reason: REASON_OF_ERROR[error.code], detail: error.message, resetsAt: null }
}

function resetOf(agent: Agent, limit: NonNullable<Said['limit']>, now: string): string | null {
  return limit.resetsAt ?? agent.limitReset?.(limit.message, new Date(now)) ?? null
}

const REASON_OF_ERROR: Record<ErrorCode, FailureReason> = {
  auth: 'auth-failed',
  limit: 'usage-limit',
  overloaded: 'overloaded',
  'max-turns': 'over-budget',
  'max-cost': 'over-budget',
  other: 'agent-error',
}

function judgeExit(
  agent: Agent,
  code: number,
  { result, error }: Said,
  failure: (reason: FailureReason, detail: string) => NonNullable<PhaseReport['failure']>,
): PhaseReport['failure'] {
  if (result?.ok) return null
  if (error) return failure(REASON_OF_ERROR[error.code], error.message)
  const hint = agent.exitHint?.(code)
  if (hint) return failure(REASON_OF_ERROR[hint], `exit code ${code}`)
  if (result) return failure('agent-error', result.reason ?? result.text)
  if (agent.speaksEvents) return failure('agent-error', `it ended without a result (exit code ${code})`)
  return code === 0 ? null : failure('agent-error', `exit code ${code}`)
}
