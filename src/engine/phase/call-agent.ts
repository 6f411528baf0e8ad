import { isFree } from '../../core/run/run-rules.ts'
import { plural } from '../../core/text/plural.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { hidingOwn } from '../../platform/git/own-excludes.ts'
import { readHead } from '../../platform/git/refs.ts'
import { runsSince } from '../../state/live/live-runs.ts'
import { isMoveVouched } from '../../state/live/vouched-moves.ts'
import { guardEnvironment } from '../guard/guard-environment.ts'
import { forgetBranches, keepBranches } from '../guard/keep-branches.ts'
import { endWatch, startWatch } from '../guard/watch-ledgers.ts'
import type { PhaseReport } from './phase-report.ts'
import type { RunContext } from './run-context.ts'
import { type PhaseTarget, runPhase } from './run-phase.ts'
import type { RunPlan } from './run-plan.ts'

export interface AgentCall extends PhaseTarget {
  /** Work that has already started and must finish before the agent starts. */
  first?: Promise<unknown>
}

/** Calls the plan's agent once, under the guard, with every ledger compared before and after. */
export async function callAgent(
  plan: RunPlan,
  context: RunContext,
  { first, ...call }: AgentCall,
): Promise<{ report: PhaseReport; incidents: string[] }> {
  const { host, slot, recorder, others } = context
  const { repo, env, binary } = host
  const { run, ledger } = plan.subject
  recorder.progress({ phase: call.phase, action: 'started' })
  // The list of branches comes before the settings: the guard's hook treats settings newer than the list as changed.
  const kept = keepBranches(repo, run, plan.place.branch ?? branchAt(repo, call.cwd))
  const [guarded] = await Promise.all([
    guardEnvironment(env, { repo, binary, run, agent: plan.worker.agent.name }),
    first,
  ])
  const since = host.now()
  const began = performance.now()
  others.watchdog.look()
  const watch = startWatch(repo, run, since)
  const agentEnv = { ...guarded, ...hidingOwn(guarded, call.cwd), ...kept, GZA_BRANCH: ledger }
  const order = { ...call, env: agentEnv, meter: context.openMeter(), context }
  const report = await slot.yieldWhile(() => runPhase(plan, order)).finally(() => forgetBranches(repo, run))
  if (report.usage.turns > 0) recorder.progress({ turns: report.usage.turns })
  const found = endWatch(watch, host.now(), (move) => isMoveVouched(host.live, move))
  others.watchdog.look()
  const mended = others.watchdog.since(began)
  const tampering = [...mended, ...found.flatMap(({ text, byPeople }) => (byPeople ? [] : [text]))]
  const left =
    report.survivors === 0
      ? []
      : [`${plural(report.survivors, 'process', 'processes')} of run ${run} could not be ended`]
  const wasAlone = () => runsSince(host.live, since).every((other) => other === run)
  return {
    report: tampering.length === 0 ? unlessAsking(report, context) : asTampered(report, tampering, wasAlone()),
    incidents: [...found.flatMap(({ byPeople }) => byPeople ?? []).map(describeChange), ...left],
  }
}

/** In a person's own worktree, the agent works on the branch that is checked out there. */
function branchAt(repo: Repo, cwd: string): string | null {
  const head = readHead(repo)
  return cwd === repo.workTree && head.kind === 'branch' ? head.branch : null
}

/**
 * An agent that has asked a person waits for the answer, however it ended and whatever it has done so far. What stopped
 * it from outside is still reported as that.
 */
function unlessAsking(report: PhaseReport, { openQuestion }: RunContext): PhaseReport {
  if (report.failure !== null && isFree(report.failure.reason)) return report
  const question = openQuestion()
  return question === null ? report : { ...report, failure: { reason: 'question', detail: question, resetsAt: null } }
}

/** If other runs were active, any of them may have done it. Each is tried again alone. */
function asTampered(report: PhaseReport, tampering: readonly string[], wasAlone: boolean): PhaseReport {
  const reason = wasAlone ? 'tampered' : 'suspected'
  return { ...report, failure: { reason, detail: tampering.join('\n'), resetsAt: null } }
}

function describeChange(change: string): string {
  return `During the run a person, or somebody acting as one, made a change: ${change}`
}
