/**
 * Lands finished tasks while agents continue to work: one landing at a time, parallel to the work session that wakes
 * it. A task that it sends back is open again, and the work session runs it.
 */
import { automaticTypes } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import { leadOf } from '../core/landing/landable-branch.ts'
import { planLanding } from '../core/landing/plan-landing.ts'
import type { Task, TaskType } from '../core/task/task.ts'
import { errorWithHint, UserError } from '../core/user-error.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { checkLine } from './base-checks.ts'
import { configuredMethod } from './build/land-order.ts'
import { type LandBase, landBase } from './land-base.ts'
import { type LandKeeps, landBranches } from './land-branches.ts'
import { dropLandPlace } from './land-lease.ts'
import type { CheckWatcher, Lander, LandWatcher, SessionLanding } from './land-report.ts'
import { readLandableBranches } from './read-landable-branches.ts'
import { verifyBase } from './verify-base.ts'

/** Shows a person what is landing, and lets them stop it. */
interface LanderWatcher extends Omit<LandWatcher, 'moved'> {
  reported(sentence: string): void
  base?: Pick<CheckWatcher, 'checking'>
  stop: AbortSignal
  cancel: AbortSignal
}

interface LandingSession {
  ws: Workspace
  config: Config
  ownMoves: Map<string, number>
  watcher: LanderWatcher
}

export function openLander(session: LandingSession): Lander {
  const automatic = new Set(automaticTypes(session.config))
  return automatic.size > 0 ? openQueue(session, automatic) : NO_LANDER
}

/** For repositories in which only people land. */
const NO_LANDER: Lander = {
  report: null,
  wake() {},
  undecided: new Set(),
  landing: null,
  verifyBase: async () => {},
  close: async () => {},
}

/** How long to wait while another process lands on the same base. */
const BUSY_MS = 300

function openQueue(session: LandingSession, automatic: ReadonlySet<TaskType>): Lander {
  const { ws, config, watcher, ownMoves } = session
  const report: SessionLanding = {
    base: '',
    landed: [],
    returned: [],
    waiting: null,
    stopped: null,
    failure: null,
    build: null,
  }
  const moved = (branches: readonly string[]) => {
    for (const branch of branches) ownMoves.set(branch, performance.now())
  }
  const decided = <T extends { id: string }>(report: (task: T) => void) => {
    return (settled: T) => {
      for (const task of undecided) if (task.id === settled.id) undecided.delete(task)
      report(settled)
    }
  }
  const { landed, returned, waiting } = watcher
  const events = { landed: decided(landed), returned: decided(returned), waiting: reportOnce(waiting), moved }
  const keeps: LandKeeps = { green: new Set(), place: null }
  const undecided = new Set<Task>()
  let current: Promise<void> | null = null
  let isWanted = false
  let isBusyElsewhere = false

  const landOnce = async (): Promise<void> => {
    const methodOf = (task: Parameters<typeof configuredMethod>[1]) => configuredMethod(config, task)
    const request = {
      config,
      choose: chooseAutomatic(config, automatic),
      methodOf,
      watcher: events,
      cancel: watcher.cancel,
      keeps,
    }
    const result = await landBranches(ws, request)
    isBusyElsewhere = result === null
    if (result === null) {
      isWanted = !watcher.cancel.aborted
      await Bun.sleep(BUSY_MS)
      return
    }
    report.base = result.base
    report.landed.push(...result.landed)
    report.returned.push(...result.returned)
    report.waiting = result.waiting
    report.stopped = result.stopped
    report.failure = null
  }

  const landWhileWanted = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      const looked = [...undecided]
      try {
        await landOnce()
      } catch (error) {
        // A failed landing must not end the agents that are working.
        report.failure = error instanceof UserError ? errorWithHint(error, '. ') : String(error)
        watcher.reported(report.failure)
      }
      // A task that has not landed by now waits for something else. The session does not wait for it.
      if (!isBusyElsewhere) for (const task of looked) undecided.delete(task)
    }
    current = null
  }

  return {
    report,
    wake(finished) {
      if (finished && automatic.has(finished.type)) undecided.add(finished)
      isWanted = true
      current ??= landWhileWanted()
    },
    undecided,
    get landing() {
      return current
    },
    async verifyBase() {
      if (report.landed.length === 0 || watcher.stop.aborted || config.verify.command === null) return
      const { name, tip } = landBase(ws)
      // The session's report says how it ended.
      const about = { base: name, commit: tip, why: 'with everything that landed' }
      watcher.base?.checking({ ...about, run: checkLine(config) })
      report.build = await verifyBase(ws, config, watcher.cancel)
    },
    async close() {
      await current
      if (report.base !== '') await dropLandPlace(ws, report.base)
    },
  }
}

/** A checkout that blocks the base is reported only when the reason is new. */
function reportOnce(report: LandWatcher['waiting']): LandWatcher['waiting'] {
  let last = ''
  return (landing, base) => {
    const reason = `${landing.path} ${landing.detail} ${landing.numbers.join()}`
    if (reason === last) return
    last = reason
    report(landing, base)
  }
}

function chooseAutomatic(config: Config, automatic: ReadonlySet<TaskType>) {
  return (view: LedgerView, base: LandBase) => {
    const landables = readLandableBranches(view, config, base).filter((landable) =>
      automatic.has(leadOf(landable).type),
    )
    return planLanding(landables, () => 'unattended')
  }
}
