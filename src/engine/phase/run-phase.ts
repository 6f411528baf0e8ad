/** One agent call: started under the guard and supervised to its end. Reports what it printed and how it ended. */
import type { Agent, AgentEvent, ErrorCode } from '../../agents/agent.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import type { Env } from '../../platform/git/git.ts'
import { isRootUser } from '../../platform/processes/machine.ts'
import { makeRedact } from '../guard/redact.ts'
import type { PhaseEnd } from '../supervise/phase-cause.ts'
import { type LineAnswer, supervise } from '../supervise/supervise.ts'
import { type PhaseReport, phaseNotBegun } from './phase-report.ts'
import type { Meter, Progress, RunContext } from './run-context.ts'
import type { RunPlan, RunWorker } from './run-plan.ts'

export interface PhaseTarget {
  phase: string
  cwd: string
  access: 'work' | 'read-only'
}

export interface PhaseOrder extends PhaseTarget {
  /** The guarded environment, to which the variables of the client are added. */
  env: Env
  meter: Meter
  context: Pick<RunContext, 'host' | 'recorder' | 'observer' | 'slot'>
}

export async function runPhase({ worker, order, subject }: RunPlan, call: PhaseOrder): Promise<PhaseReport> {
  const { agent, settings, resume } = worker
  const { meter, cwd, access, context } = call
  const spent = meter.usedUp()
  if (spent !== null) return notBegun(spent)
  const invocation = agent.invoke({
    prompt: order.prompt,
    access,
    cwd,
    isRoot: isRootUser(),
    ...(settings.model !== null && { model: settings.model }),
    ...(meter.left.turns !== null && { maxTurns: meter.left.turns }),
    ...(meter.left.usd !== null && { maxCostUsd: meter.left.usd }),
    ...(resume !== null && { resume: resume.session }),
  })
  const env = { ...call.env, ...withoutGuardNames(invocation.env) }
  const listener = listen(worker, call)
  const { end, survivors } = await supervise({
    argv: invocation.argv,
    cwd,
    env,
    ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
    marker: subject.run,
    timeoutMs: settings.timeout_minutes * 60_000,
    stallMs: settings.stall_minutes * 60_000,
    cancel: context.slot.cancel,
    onLine: listener.onLine,
  })
  const failure = whoseBudget(meter, failureOfCall(agent, end, listener.said, context.host.now()))
  // The failure contains the client's own words and is stored in the ledger, which is pushed: secrets are removed.
  return { end, survivors, ...listener.report(), failure: makeRedact(env)(failure) }
}

/** An earlier phase of the run, or another worker, has spent what was left. */
function notBegun(reason: FailureReason): PhaseReport {
  const detail = 'the budget was used up before the phase started'
  return phaseNotBegun({ reason, detail, resetsAt: null })
}

/** A phase that was stopped by the task's or the day's budget is not a failed attempt. */
function whoseBudget(meter: Meter, failure: PhaseReport['failure']): PhaseReport['failure'] {
  return failure?.reason === 'over-budget' ? { ...failure, reason: meter.usedUp() ?? failure.reason } : failure
}

/** Variables of a client or a configuration must not weaken the guard, which consists of variables. */
function withoutGuardNames(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(GIT_|GZA_|PATH$|BUN_)/.test(name)))
}

interface Said {
  result: Extract<AgentEvent, { kind: 'result' }> | null
  limit: Extract<AgentEvent, { kind: 'limit' }> | null
  error: Extract<AgentEvent, { kind: 'error' }> | null
}

/** No review is longer, and a client may print endlessly. */
const LONGEST_TEXT = 200_000

/** Collects what the client prints, and stops it once it has given its result or spent its budget. */
function listen({ agent, resume }: RunWorker, { phase, meter, context }: PhaseOrder) {
  const { recorder, observer } = context
  const read = agent.reader(resume?.spent)
  const usage = { tokensIn: 0, tokensOut: 0, costUsd: 0, turns: 0 }
  const said: Said = { result: null, limit: null, error: null }
  let session: string | null = null
  let words = ''
  let printed = ''
  function take(event: AgentEvent): void {
    if (agent.speaksEvents && (event.kind === 'text' || event.kind === 'tool')) said.error = null
    if (event.kind === 'session') session = event.id
    else if (event.kind === 'turn') usage.turns = event.count
    else if (event.kind === 'text') words = event.text
    else if (event.kind === 'tokens') Object.assign(usage, { tokensIn: event.input, tokensOut: event.output })
    else if (event.kind === 'cost') usage.costUsd = event.usd
    else if (event.kind === 'result') usage.turns ||= event.turns ?? 0
    if (event.kind in said) Object.assign(said, { [event.kind]: event })
    recorder.progress(progressOf(event))
    if (isAnswer(event)) observer.answered(agent)
  }
  return {
    said,
    report: () => ({ session, usage, text: said.result?.text || words, printed }),
    onLine(stream: 'out' | 'err', line: string): LineAnswer {
      const events = read(line)
      recorder.log({ phase, stream, line, event: events })
      if (stream === 'out' && !agent.speaksEvents) printed = `${printed}${line}\n`.slice(-LONGEST_TEXT)
      for (const event of events) take(event)
      const passed = meter.spend({ usd: usage.costUsd, turns: usage.turns })
      // A client that reports its cost only at the end has done the work. Repeating it would cost more.
      if (passed !== null && !said.result?.ok) return { overBudget: passed }
      return said.result === null ? undefined : 'stop'
    },
  }
}

/** The event shows that the agent's account works. */
function isAnswer(event: AgentEvent): boolean {
  return event.kind === 'text' || event.kind === 'tool' || (event.kind === 'tokens' && event.output > 0)
}

function progressOf(event: AgentEvent): Progress {
  switch (event.kind) {
    case 'session':
      return { session: event.id }
    case 'text':
      return { action: event.text }
    case 'tool':
      return { action: event.detail === '' ? event.name : `${event.name}: ${event.detail}` }
    case 'turn':
      return { turns: event.count }
    case 'tokens':
      return { tokensIn: event.input, tokensOut: event.output }
    case 'cost':
      return { costUsd: event.usd }
    case 'limit':
    case 'error':
      return { action: event.message }
    case 'result':
      return { action: event.ok ? 'returned its result' : `failed: ${event.reason ?? event.text}` }
    default:
      return event satisfies never
  }
}

/** Exit code 0 proves nothing. For a client that reports results, a missing one is a failure. */
function failureOfCall(agent: Agent, end: PhaseEnd, said: Said, now: string): PhaseReport['failure'] {
  const failure = (reason: FailureReason, detail: string, resetsAt: string | null = null) => ({
    reason,
    detail,
    resetsAt,
  })
  if (said.limit) return failure('usage-limit', said.limit.message, resetOf(agent, said.limit, now))
  switch (end.kind) {
    case 'timed-out':
      return refusedService(said) ?? failure('timed-out', 'the phase reached its time limit')
    case 'stalled':
      return refusedService(said) ?? failure('stalled', 'the agent printed nothing for too long')
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

/** The client was still retrying when its time was over, which is not a failure of the task. */
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
