import type { RunStep } from '../../core/run/named-steps.ts'
import { UserError } from '../../core/user-error.ts'
import type { Env } from '../../platform/git/git.ts'
import { passStep } from '../../platform/processes/crash-point.ts'
import { hasLostPlace } from '../../state/live/leases.ts'
import { recordProgress, recordStep, updateRun } from '../../state/live/live-runs.ts'
import { openPhaseRecords } from '../log/phase-records.ts'
import { openRunLog } from '../log/run-log.ts'
import { keepOutcome } from './keep-outcome.ts'
import { paceProgress } from './pace-progress.ts'
import type { Progress, RunHost, RunObserver, RunRecorder } from './run-context.ts'
import type { RunPlan } from './run-plan.ts'

/** `secrets`: environments whose secrets must not get into the log. */
export function openRunRecorder(
  { live, repo, env, clock }: RunHost,
  plan: RunPlan,
  { observer, secrets }: { observer: RunObserver; secrets: readonly Env[] },
): RunRecorder {
  const { run } = plan.subject
  const log = openRunLog({ repo, run, clock, envs: secrets })
  const stored = paceProgress((progress) => recordProgress(live, run, { shown: shownOf(progress), ...progress }))
  const watch = watchPhases()
  let isSilent = true
  /** A worker that took the task over works in the same place, so this run must not change anything there. */
  const place = { run, uid: plan.subject.task.uid, path: plan.place.path }
  const checkLease = (): void => {
    if (hasLostPlace(live, place)) throw leaseLost(plan)
  }
  const step = (passed: RunStep): void => {
    if (!recordStep(live, place, passed)) throw leaseLost(plan)
    passStep(env, passed)
    if (passed === 'prepared') observer.prepared()
  }
  return {
    step,
    checkLease,
    beginPhase: () => {
      isSilent = true
      updateRun(live, run, { heard: null })
    },
    keepOutcome: (promptKey, outcome) => keepOutcome(live, run, promptKey, outcome),
    progress: (progress) => {
      stored.take(progress)
      if (progress.phase !== undefined) watch.enter(progress.phase)
      observer.progressed(progress)
    },
    secondsIn: watch.secondsIn,
    log: (line) => {
      log.write(line)
      observer.printed(line.line)
      if (isSilent) step('working')
      isSilent = false
    },
    logCommand: (phase, lines) => {
      const eventOf = (text: string) => [{ kind: 'text', text }]
      if (typeof lines !== 'string') log.flood({ phase, stream: 'out', lines, eventOf })
      else log.write({ phase, stream: 'out', line: lines, event: eventOf(lines) })
    },
    logFlood: log.flood,
    flush: () => {
      stored.flush()
      log.flush()
    },
    remark: (phase, line) => log.write({ phase, stream: 'gza', line, event: [] }),
    recordPhase: openPhaseRecords({ repo, run, clock, envs: secrets }),
  }
}

/** Adds up the time in each phase, also if the run returns to it. */
function watchPhases() {
  const spent = new Map<string, number>()
  let current: { phase: string; since: number } | null = null
  const leave = (): void => {
    if (current === null) return
    const now = performance.now()
    spent.set(current.phase, (spent.get(current.phase) ?? 0) + now - current.since)
    current.since = now
  }
  return {
    enter(phase: string): void {
      leave()
      current = { phase, since: performance.now() }
    },
    secondsIn(phase: string): number {
      leave()
      return Math.round((spent.get(phase) ?? 0) / 1000)
    },
  }
}

export function leaseLost({ subject: { run, number }, place: { branch } }: RunPlan): UserError {
  return new UserError('LEASE_LOST', `Task #${number} was taken over by another worker`, {
    hint: `The work of run ${run} is kept${branch === null ? '' : ` on ${branch}`}.`,
  })
}

function shownOf({ phase, action, tokensIn, tokensOut, costUsd, turns }: Progress) {
  return {
    ...(phase !== undefined && { phase }),
    ...(action !== undefined && { last_action: action.slice(0, 200) }),
    ...(tokensIn !== undefined && { tokens_in: tokensIn }),
    ...(tokensOut !== undefined && { tokens_out: tokensOut }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
    ...(turns !== undefined && { turns }),
  }
}
