import type { AgentEvent } from '../agents/agent.ts'
import { isRootUser } from '../platform/machine.ts'
import { guardEnvironment } from './guard/guard-environment.ts'
import { endWatch, startWatch } from './guard/watch-ledgers.ts'
import type { Desk, Job, Progress } from './job.ts'
import { type PhaseReport, runPhase } from './run-phase.ts'

export interface AgentCall {
  phase: string
  cwd: string
  access: 'work' | 'read-only'
  /** Who closes the task: the runner after its checks, or with `git tasks run` the agent itself. */
  closes?: 'runner' | 'agent'
}

/** Calls the job's agent once, under the guard, with every ledger compared before and after. */
export async function callAgent(
  job: Job,
  desk: Desk,
  call: AgentCall,
): Promise<{ report: PhaseReport; incidents: string[] }> {
  const { repo, env, binary } = desk
  const { settings, agent, run } = job
  desk.progress(job, { phase: call.phase, action: 'started' })
  const guarded = guardEnvironment(env, { repo, binary, run, agent: agent.name })
  const watch = startWatch(repo, run, desk.now())
  const report = await runPhase({
    agent,
    prompt: job.prompt,
    access: call.access,
    cwd: call.cwd,
    // With GZA_RUNNER `git tasks done` of the agent is heard and closes nothing.
    env: { ...guarded, GZA_BRANCH: job.ledger, ...(call.closes !== 'agent' && { GZA_RUNNER: '1' }) },
    run,
    model: settings.model,
    maxTurns: settings.max_turns,
    maxCostUsd: job.maxCostUsd,
    resume: job.resume,
    timeoutMs: settings.timeout_minutes * 60_000,
    stallMs: settings.stall_minutes * 60_000,
    cancel: desk.cancel,
    isRoot: isRootUser(),
    onEvent: (event) => desk.progress(job, progressOf(event)),
    onLine: (stream, line, events) => desk.log(job, call.phase, stream, line, events),
  })
  const left = report.survivors === 0 ? [] : [`${report.survivors} processes of run ${run} could not be ended`]
  return { report, incidents: [...endWatch(watch, desk.now()), ...left] }
}

function progressOf(event: AgentEvent): Progress {
  switch (event.kind) {
    case 'session':
      return { session: event.id }
    case 'text':
      return { action: event.text, answered: true }
    case 'tool':
      return { action: event.detail === '' ? event.name : `${event.name}: ${event.detail}`, answered: true }
    case 'turn':
      return {}
    case 'tokens':
      return { tokensIn: event.input, tokensOut: event.output, answered: event.output > 0 }
    case 'cost':
      return { costUsd: event.usd }
    case 'limit':
    case 'error':
      return { action: event.message }
    case 'result':
      return { action: event.ok ? 'gave its result' : `failed: ${event.reason ?? event.text}` }
    default:
      return event satisfies never
  }
}
