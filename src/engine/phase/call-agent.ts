import type { AgentEvent } from '../../agents/agent.ts'
import { plural } from '../../core/text/plural.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { isRootUser } from '../../platform/processes/machine.ts'
import { guardEnvironment } from '../guard/guard-environment.ts'
import { forgetBranches, keepBranches } from '../guard/keep-branches.ts'
import { endWatch, startWatch } from '../guard/watch-ledgers.ts'
import { type PhaseOrder, type PhaseReport, runPhase } from './run-phase.ts'
import type { Progress, RunContext, RunPlan } from './run-plan.ts'

export interface AgentCall {
  phase: string
  cwd: string
  access: 'work' | 'read-only'
  /** What has begun and must be over before the agent starts. */
  first?: Promise<unknown>
}

/** Calls the job's agent once, under the guard, with every ledger compared before and after. */
export async function callAgent(
  plan: RunPlan,
  context: RunContext,
  call: AgentCall,
): Promise<{ report: PhaseReport; incidents: string[] }> {
  const { repo, env, binary } = context
  const { settings, agent, run } = plan
  context.progress(plan, { phase: call.phase, action: 'started' })
  // First the list, then the settings: the guard's hook takes settings that are younger than the list for changed.
  const kept = keepBranches(repo, run, plan.branch ?? branchAt(repo, call.cwd))
  const [guarded] = await Promise.all([guardEnvironment(env, { repo, binary, run, agent: agent.name }), call.first])
  const since = context.now()
  const began = performance.now()
  context.tampering(began)
  const watch = startWatch(repo, run, since)
  const order: PhaseOrder = {
    agent,
    prompt: plan.prompt,
    access: call.access,
    cwd: call.cwd,
    env: { ...guarded, ...kept, GZA_BRANCH: plan.ledger },
    run,
    model: settings.model,
    meter: context.openMeter(),
    resume: plan.resume,
    timeoutMs: settings.timeout_minutes * 60_000,
    stallMs: settings.stall_minutes * 60_000,
    cancel: context.cancel,
    now: context.now,
    isRoot: isRootUser(),
    onEvent: (event) => context.progress(plan, progressOf(event)),
    onLine: (stream, line, events) => context.log(plan, call.phase, stream, line, events),
  }
  const report = await context.yieldWhile(() => runPhase(order)).finally(() => forgetBranches(repo, run))
  if (report.usage.turns > 0) context.progress(plan, { turns: report.usage.turns })
  const found = endWatch(watch, context.now())
  const tampering = [...context.tampering(began), ...found.flatMap(({ text, byPeople }) => (byPeople ? [] : [text]))]
  const left =
    report.survivors === 0
      ? []
      : [`${plural(report.survivors, 'process', 'processes')} of run ${run} could not be ended`]
  return {
    report: tampering.length === 0 ? report : asTampered(report, tampering, context.isAlone(since)),
    incidents: [...found.flatMap(({ byPeople }) => byPeople ?? []).map(describeChange), ...left],
  }
}

/** In a person's own tree the agent works on what is checked out there. */
function branchAt(repo: Repo, cwd: string): string | null {
  const head = readHead(repo)
  return cwd === repo.workTree && head.kind === 'branch' ? head.branch : null
}

/** Where others ran at the same time it may have been any of them: each is tried again by itself. */
function asTampered(report: PhaseReport, tampering: readonly string[], wasAlone: boolean): PhaseReport {
  const reason = wasAlone ? 'tampered' : 'suspected'
  return { ...report, failure: { reason, detail: tampering.join('\n'), resetsAt: null } }
}

function describeChange(change: string): string {
  return `During the run a person, or who passed for one, made a change: ${change}`
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
      return { turns: event.count }
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
