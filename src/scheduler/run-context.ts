import type { RunStep } from '../core/run/run-steps.ts'
import type { Phase } from '../core/task/task.ts'
import { openRunLog } from '../engine/phase/run-log.ts'
import type { Desk, Job, Progress } from '../engine/phase/run-plan.ts'
import type { Aside } from '../engine/phase/semaphore.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { keepHeard } from '../runs/phase-outcome.ts'
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
import type { Signs } from './account-probe.ts'
import type { LedgerKeeper } from './ledger-watchdog.ts'
import type { Shift } from './work-session.ts'

export interface Controls {
  cancel: AbortSignal
  /** Told of what shows whether the agent's account works. */
  signs: Signs
  aside: Aside
  /** Begins the next task; over when that one's agent is at work. Null: there is none for its slot. */
  handOver: () => Promise<void> | null
}

/** What the engine is given to run one job: where to write down its steps, its progress and its log. */
export function openDesk(
  shift: Pick<Shift, 'ws' | 'config' | 'watcher' | 'ownMoves'> & { keeper: LedgerKeeper },
  job: Job,
  { cancel, signs, aside, handOver }: Controls,
): Desk {
  const { ws, config, watcher, keeper } = shift
  const opened = performance.now()
  const live = liveOf(ws)
  const log = openRunLog(ws.repo, job.run, [ws.env, ...[...config.agents.values()].map(({ env }) => env)])
  const pass = (step: RunStep): void => {
    refuseLostWorkplace(ws, job)
    showProgress(live, job.run, { step })
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
    aside,
    handOver: async () => {
      const begun = handOver()
      // Whoever waits for this run's end does not wait for others to go first.
      if (begun === null) return
      await aside(() => begun)
      refuseLostWorkplace(ws, job)
    },
    busyBranches: () => [
      ...leasesByLife(live, ws.now()).held.flatMap(({ branch }) => branch ?? []),
      ...[...(shift.ownMoves ?? [])].flatMap(([branch, at]) => (at >= opened ? [branch] : [])),
    ],
    isAlone: (since) => runsSince(live, since).every((run) => run === job.run),
    tampering: (since) => {
      keeper.look()
      return keeper.since(since)
    },
    openMeter: meterRun(ws.env, job),
    step: (_job, step) => {
      pass(step)
      if (step === 'prepared') signs.prepared()
    },
    keepHeard: (phaseJob, heard) => keepHeard(live, phaseJob, heard),
    planPhase: (_job, step, tip, isFirst) => {
      isSilent = true
      // What is left behind from here on is not what the last phase said it had made.
      keepHeard(live, job, null)
      return planPhase(readLedger(ws), config, job, { step, tip, isFirst })
    },
    recordPhase: (_job, phase, text) => {
      const whyNot = recordPhaseEnd(ws, job, recorded, phase, text)
      recorded.push(phase)
      // Should the run die now, the next phase has a session of its own.
      updateRun(live, job.run, { session: null })
      return whyNot
    },
    pausedUntil: (agent) => pausedUntil(ws.env, agent, new Date().toISOString()),
    loopNews: (_job, at, news) => watcher.looped(job, at, news),
    progress: ({ agent }, progress) => {
      showProgress(live, job.run, seenOf(progress))
      if (progress.session !== undefined) updateRun(live, job.run, { session: progress.session })
      if (progress.files) setChangedFiles(live, job.run, progress.files)
      if (progress.answered) signs.answered(agent)
      watcher.progress(job, progress)
    },
    log: (_job, phase, stream, line, event) => {
      log.write({ phase, stream, line, event })
      signs.heard(line)
      if (isSilent) pass('working')
      isSilent = false
    },
  }
}

/** Whoever took the task over works in the same place: nothing there is this run's to touch any more. */
function refuseLostWorkplace(ws: Workspace, job: Job): void {
  const lease = leaseOf(liveOf(ws), job.task.uid)
  const isLost = lease !== null && lease.run !== job.run && lease.released_at === null
  if (isLost && lease.path !== null && lease.path === workplacePath(ws, job)) throw leaseLost(job)
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
