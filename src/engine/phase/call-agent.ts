import { isFree } from '../../core/run/run-rules.ts'
import { plural } from '../../core/text/plural.ts'
import { removePipes } from '../../platform/files/untrusted/remove-pipes.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { staying } from '../../platform/git/own-git.ts'
import { hidingOwn } from '../../platform/git/worktree-folder.ts'
import { runsEndedSince, runsSince } from '../../state/live/live-runs.ts'
import { isMoveVouched } from '../../state/live/vouched-moves.ts'
import { guardAgent } from '../guard/guard-run.ts'
import { endWatch, startWatch } from '../guard/refs/watch-ledgers.ts'
import { importIncidents, openPhaseBox, withImported } from '../isolation/agent-box/phase-box.ts'
import type { PhaseReport } from './phase-report.ts'
import type { RunContext } from './run-context.ts'
import { type PhaseTarget, runPhase } from './run-phase.ts'
import type { RunPlan } from './run-plan.ts'

export interface AgentCall extends PhaseTarget {
  /** Work that has already started and must finish before the agent starts. */
  first?: Promise<unknown>
  /** Called when no process of the agent is left, before its work is brought in and looked at. */
  left?: (report: PhaseReport) => void
}

export interface CalledAgent {
  report: PhaseReport
  incidents: string[]
  /** Repositories that appeared inside the person's own tree. They are in the inbox. */
  nested: string[]
}

/** Calls the plan's agent once, under the guard, with ledgers, refs and settings compared before and after. */
export async function callAgent(
  plan: RunPlan,
  context: RunContext,
  { first, left: agentLeft, ...call }: AgentCall,
): Promise<CalledAgent> {
  const { host, slot, recorder, others } = context
  const { run, ledger } = plan.subject
  recorder.progress({ phase: call.phase, action: 'started' })
  const opened = host.now()
  const over = runsEndedSince(host.live, opened)
  const window = guardAgent(plan, context, call.cwd)
  await first
  const since = host.now()
  const began = performance.now()
  others.watchdog.look()
  const watch = startWatch(host.repo, run, since)
  const env = { ...placed(window.env, host.repo, call.cwd), GZA_BRANCH: ledger }
  const closing = (error: unknown): never => {
    window.close()
    throw error
  }
  const box = await openPhaseBox(plan, context, { ...call, env, kept: window.kept }).catch(closing)
  const order = {
    ...{ ...call, meter: context.openMeter(), context },
    ...(box ?? { env: { ...env, ...hidingOwn(window.env, call.cwd) } }),
  }
  const called = await slot
    .yieldWhile(async () => {
      const ended = await runPhase(plan, order)
      agentLeft?.(ended)
      return ended
    })
    .catch(async (error: unknown) => {
      await box?.close().catch(closing)
      return closing(error)
    })
  await removePipes(call.cwd)
  const imported = box === null ? null : await box.close().catch(closing)
  const report = withImported(called, imported)
  if (report.usage.turns > 0) recorder.progress({ turns: report.usage.turns })
  context.observer.called(plan.worker.agent, report)
  const guarded = window.close()
  for (const line of guarded.putBack) recorder.remark(call.phase, line)
  // First, so that the guard compares with the repaired ledger, and later checks do not find what is repaired.
  others.watchdog.look()
  const found = endWatch(watch, host.now(), (move) => isMoveVouched(host.live, move))
  const mended = others.watchdog.since(began)
  const illegal = found.flatMap(({ text, byPeople }) => (byPeople ? [] : [text]))
  const tampering = [...mended, ...illegal, ...guarded.tampering, ...(imported?.tampering ?? [])]
  const left =
    report.survivors === 0
      ? []
      : [`${plural(report.survivors, 'process', 'processes')} of run ${run} could not be ended`]
  const wasAlone = () => runsSince(host.live, opened).every((other) => other === run || over.has(other))
  return {
    report: tampering.length === 0 ? unlessAsking(report, context) : asTampered(report, tampering, wasAlone()),
    incidents: [
      ...found.flatMap(({ byPeople }) => byPeople ?? []).map(describeChange),
      ...guarded.changedRefs.map((change) => `During the run ${change}`),
      ...guarded.nested.map((change) => `During the run ${change}`),
      ...importIncidents(imported),
      ...left,
    ],
    nested: guarded.nested,
  }
}

/**
 * gza may have been started with GIT_DIR, as in `git --git-dir=… tasks work` or in a hook. An agent in a worktree of its
 * own would then commit in the person's checkout.
 */
function placed(env: Env, repo: Repo, cwd: string): Env {
  return cwd === (repo.workTree ?? repo.dir) ? env : staying(env)
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
