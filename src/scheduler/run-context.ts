import type { RunStep } from '../core/run/run-steps.ts'
import type { Phase } from '../core/task/task.ts'
import { openRunLog } from '../engine/phase/run-log.ts'
import type { Progress, RunContext, RunPlan } from '../engine/phase/run-plan.ts'
import type { YieldWhile } from '../engine/phase/semaphore.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { keepPhaseOutcome } from '../runs/phase-outcome.ts'
import { planPhase } from '../runs/prompt/plan-review.ts'
import { recordPhaseEnd } from '../runs/record-phase.ts'
import { leaseLost } from '../runs/record-run.ts'
import { pausedUntil } from '../runs/spend/agent-pauses.ts'
import { meterRun } from '../runs/spend/meter.ts'
import { workplacePath } from '../runs/workplace-path.ts'
import { leaseOf, leasesByLife } from '../state/live/leases.ts'
import { runsSince, setChangedFiles, showProgress, updateRun } from '../state/live/live-runs.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { AccountEvidence } from './account-probe.ts'
import type { LedgerWatchdog } from './ledger-watchdog.ts'
import type { SessionInput } from './work-session.ts'

export interface Controls {
  cancel: AbortSignal
  /** Told of what shows whether the agent's account works. */
  probe: AccountEvidence
  yieldWhile: YieldWhile
  /** Begins the next task; over when that one's agent is at work. Null: there is none for its slot. */
  startNextEarly: () => Promise<void> | null
}

/** What the engine is given to run one job: where to write down its steps, its progress and its log. */
export function openRunContext(
  session: Pick<SessionInput, 'ws' | 'config' | 'watcher' | 'ownMoves'> & { watchdog: LedgerWatchdog },
  plan: RunPlan,
  { cancel, probe, yieldWhile, startNextEarly }: Controls,
): RunContext {
  const { ws, config, watcher, watchdog } = session
  const opened = performance.now()
  const live = liveOf(ws)
  const log = openRunLog({
    ...{ repo: ws.repo, run: plan.run, clock: ws.clock },
    envs: [ws.env, ...[...config.agents.values()].map(({ env }) => env)],
  })
  const pass = (step: RunStep): void => {
    refuseLostWorkplace(ws, plan)
    showProgress(live, plan.run, { step })
    passStep(ws.env, step)
  }
  let isSilent = true
  const recorded: Phase[] = []
  return {
    repo: ws.repo,
    env: ws.env,
    binary: ownExecutable(),
    cancel,
    stop: watcher.stop,
    now: ws.now,
    yieldWhile,
    startNextEarly: async () => {
      const begun = startNextEarly()
      // Whoever waits for this run's end does not wait for others to go first.
      if (begun === null) return
      await yieldWhile(() => begun)
      refuseLostWorkplace(ws, plan)
    },
    busyBranches: () => [
      ...leasesByLife(live, ws.now()).held.flatMap(({ branch }) => branch ?? []),
      ...[...(session.ownMoves ?? [])].flatMap(([branch, at]) => (at >= opened ? [branch] : [])),
    ],
    isAlone: (since) => runsSince(live, since).every((run) => run === plan.run),
    tampering: (since) => {
      watchdog.look()
      return watchdog.since(since)
    },
    openMeter: meterRun(ws, plan),
    step: (_plan, step) => {
      pass(step)
      if (step === 'prepared') probe.prepared()
    },
    keepPhaseOutcome: (phasePlan, phaseOutcome) => keepPhaseOutcome(live, phasePlan, phaseOutcome),
    planPhase: (_plan, step, tip, isFirst) => {
      isSilent = true
      // What is left behind from here on is not what the last phase said it had made.
      keepPhaseOutcome(live, plan, null)
      return planPhase(readLedger(ws), config, plan, { step, tip, isFirst })
    },
    recordPhase: (_plan, phase, text) => {
      const whyNot = recordPhaseEnd(ws, plan, recorded, phase, text)
      recorded.push(phase)
      // Should the run die now, the next phase has a session of its own.
      updateRun(live, plan.run, { session: null })
      return whyNot
    },
    pausedUntil: (agent) => pausedUntil(ws, agent),
    reviewNews: (_plan, at, news) => watcher.reviewMoved(plan, at, news),
    progress: ({ agent }, progress) => {
      showProgress(live, plan.run, seenOf(progress))
      if (progress.session !== undefined) updateRun(live, plan.run, { session: progress.session })
      if (progress.files) setChangedFiles(live, plan.run, progress.files)
      if (progress.answered) probe.answered(agent)
      watcher.progress(plan, progress)
    },
    log: (_plan, phase, stream, line, event) => {
      log.write({ phase, stream, line, event })
      probe.printed(line)
      if (isSilent) pass('working')
      isSilent = false
    },
  }
}

/** Whoever took the task over works in the same place: nothing there is this run's to touch any more. */
function refuseLostWorkplace(ws: Workspace, plan: RunPlan): void {
  const lease = leaseOf(liveOf(ws), plan.task.uid)
  const isLost = lease !== null && lease.run !== plan.run && lease.released_at === null
  if (isLost && lease.path !== null && lease.path === workplacePath(ws, plan)) throw leaseLost(plan)
}

function seenOf({ phase, action, tokensIn, tokensOut, costUsd, turns }: Progress) {
  return {
    ...(phase !== undefined && { phase }),
    ...(action !== undefined && { last_action: action.slice(0, 200) }),
    ...(tokensIn !== undefined && { tokens_in: tokensIn }),
    ...(tokensOut !== undefined && { tokens_out: tokensOut }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(turns !== undefined && { turns }),
  }
}
