/** One agent call: started under the guard and supervised to its end. Reports what it printed and how it ended. */
import type { Agent, ErrorCode } from '../../agents/agent.ts'
import { installCommand } from '../../core/client-setup/install-client.ts'
import type { FailureReason } from '../../core/run/run-rules.ts'
import { shortenToUnits } from '../../core/text/shorten.ts'
import type { Env } from '../../platform/git/git.ts'
import { isRootUser } from '../../platform/processes/machine.ts'
import { makeRedact, type Redact } from '../guard/redact.ts'
import type { Enclose } from '../isolation/box/box-plan.ts'
import type { PhaseEnd } from '../supervise/phase-cause.ts'
import { supervise } from '../supervise/supervise.ts'
import { listenTo, resetOf, type Said } from './listen-to.ts'
import { type PhaseReport, phaseNotBegun } from './phase-report.ts'
import { forgetPrompt, placePrompt } from './prompt-file.ts'
import type { Meter, RunContext } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'

export interface PhaseTarget {
  phase: string
  cwd: string
  access: 'work' | 'read-only'
}

export interface PhaseOrder extends PhaseTarget {
  /** The guarded environment, to which the variables of the client are added. */
  env: Env
  meter: Meter
  /** The same command in the box of the phase; absent: there is none. */
  enclose?: Enclose
  context: Pick<RunContext, 'host' | 'recorder' | 'observer' | 'slot'>
}

export async function runPhase(plan: RunPlan, call: PhaseOrder): Promise<PhaseReport> {
  const { report, hasAnswered } = await callOnce(plan, call)
  const { resume } = plan.worker
  // Clients report a session that is gone in many ways, but always at once and without asking the model.
  if (resume === null || hasAnswered || report.failure?.reason !== 'agent-error') return report
  const why = `Session ${resume.session} cannot be resumed: the agent starts without it`
  call.context.recorder.log({ phase: call.phase, stream: 'gza', line: why, event: [] })
  return (await callOnce({ ...plan, worker: { ...plan.worker, resume: null } }, call)).report
}

interface Called {
  report: PhaseReport
  /** The model has answered. */
  hasAnswered: boolean
}

async function callOnce({ worker, order, subject }: RunPlan, call: PhaseOrder): Promise<Called> {
  const { agent, settings, resume } = worker
  const { meter, cwd, access, context } = call
  const spent = meter.usedUp()
  if (spent !== null) return { report: notBegun(spent), hasAnswered: false }
  const invocation = agent.invoke({
    prompt: order.prompt,
    access,
    cwd,
    isRoot: isRootUser(),
    isHeld: call.enclose !== undefined && context.host.isolation.level === 'landlock',
    newSession: crypto.randomUUID(),
    ...(settings.model !== null && { model: settings.model }),
    ...(meter.left.turns !== null && { maxTurns: meter.left.turns }),
    ...(meter.left.usd !== null && { maxCostUsd: meter.left.usd }),
    ...(resume !== null && { resume: resume.session }),
  })
  const env = { ...call.env, ...withoutGuardNames(invocation.env) }
  const redact = makeRedact(env)
  const { recorder } = context
  const about = { agent: agent.name, model: settings.model, resumed: resume !== null }
  recorder.recordPhase({ kind: 'call', phase: call.phase, ...about, prompt: order.prompt })
  const listener = listenTo(worker, { ...call, redact, session: invocation.session ?? null })
  const argv = placePrompt(context.host.repo, subject.run, invocation)
  // A box that cannot be made throws at once: then the prompt is forgotten too.
  const begin = async () =>
    supervise({
      ...{ argv, cwd, env },
      ...(call.enclose && { enclosed: call.enclose({ argv, cwd, env }) }),
      ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
      marker: subject.run,
      timeoutMs: settings.timeout_minutes * 60_000,
      stallMs: settings.stall_minutes * 60_000,
      cancel: context.slot.cancel,
      onLine: listener.onLine,
      onFlood: listener.onFlood,
      onSilence: (silentMs) => listener.onSilence(env, silentMs),
    })
  const { end, survivors } = await begin().finally(() => {
    recorder.flush()
    forgetPrompt(context.host.repo, subject.run)
  })
  listener.readSessionFile(env)
  const failure = whoseBudget(meter, failureOfCall(agent, end, listener.said, context.host.now()))
  const { denied, ...rest } = listener.report()
  const described = failure && describe(failure, redact, listener.lastLines)
  const report = { end, survivors, ...rest, ...(denied && { denied: redact(denied) }), failure: described }
  recorder.recordPhase({ kind: 'called', phase: call.phase, ...spentBy(report) })
  return { report, hasAnswered: listener.hasAnswered() }
}

function spentBy({ usage, failure }: PhaseReport) {
  const { tokensIn, tokensOut, costUsd, turns } = usage
  const spent = { tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd, turns }
  return { ...spent, failure: failure === null ? null : `${failure.reason}: ${failure.detail}` }
}

type Failure = NonNullable<PhaseReport['failure']>

/** No longer message helps anybody. */
const LONGEST_MESSAGE = 4000

/**
 * A failure contains the client's own words and is stored in the ledger, which is pushed: secrets are removed, before
 * it is cut. The last lines of a client that crashed say more than its exit code.
 */
function describe(failure: Failure, redact: Redact, lastLines: () => string): Failure {
  const message = shortenToUnits(redact(failure.detail), LONGEST_MESSAGE)
  const lines = failure.reason === 'agent-error' ? lastLines() : ''
  return { ...failure, detail: lines === '' || message.includes(lines) ? message : `${message}\n${lines}` }
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

/** Exit code 0 proves nothing. For a client that reports results, a missing one is a failure. */
function failureOfCall(agent: Agent, end: PhaseEnd, said: Said, now: string): PhaseReport['failure'] {
  const failure = (reason: FailureReason, detail: string) => ({ reason, detail, resetsAt: null })
  if (said.limit && !said.result?.ok && end.kind !== 'cancelled') return limitFailure(agent, said.limit, now)
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
      return failure('not-started', withInstallHint(agent, end.why))
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

function withInstallHint({ name }: Agent, why: string): string {
  const command = why.endsWith('no such command') ? installCommand(name) : null
  return command === null ? why : `${why}. Install it: ${command}`
}

/** The client was still retrying when its time was over, which is not a failure of the task. */
function refusedService({ error }: Said): PhaseReport['failure'] {
  if (error?.code !== 'auth' && error?.code !== 'overloaded') return null
  return { reason: REASON_OF_ERROR[error.code], detail: error.message, resetsAt: null }
}

function limitFailure(agent: Agent, limit: NonNullable<Said['limit']>, now: string): PhaseReport['failure'] {
  const resetsAt = resetOf(agent, limit, now)
  return { reason: 'usage-limit', detail: limit.message, resetsAt, ...(limit.ofModel && { ofModel: true }) }
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
