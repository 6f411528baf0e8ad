/**
 * Lands what is finished while agents go on: one landing at a time beside the shift that wakes it. What it sends back
 * is open again, and the shift takes it up.
 */
import { effective } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import { leadOf } from '../core/landing/landable-branch.ts'
import { planLanding } from '../core/landing/plan-landing.ts'
import { TASK_TYPES, type Task } from '../core/task/task.ts'
import { errorWithHint, UserError } from '../core/user-error.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { configuredMethod } from './build/land-order.ts'
import type { LandBase } from './land-base.ts'
import { type LandKeeps, landBranches } from './land-branches.ts'
import { dropLandPlace } from './land-lease.ts'
import type { Lander, LandWatcher, SessionLanding } from './land-report.ts'
import { readLandableBranches } from './read-landable-branches.ts'
import { verifyBuild } from './verify-build.ts'

/** What a person sees of it, and how they stop it. */
interface LanderWatcher extends Omit<LandWatcher, 'moved'> {
  reported(sentence: string): void
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
  return TASK_TYPES.some((type) => isAutomatic(session.config, type)) ? openQueue(session) : NOBODY
}

/** For repositories where people land. */
const NOBODY: Lander = {
  report: null,
  wake() {},
  undecided: () => [],
  landing: () => null,
  verifyBuild: async () => {},
  close: async () => {},
}

function isAutomatic(config: Config, type: (typeof TASK_TYPES)[number]): boolean {
  return effective(config, type).land !== 'branch'
}

/** While another process lands on the same base. */
const BUSY_MS = 300

function openQueue(session: LandingSession): Lander {
  const { ws, config, watcher, ownMoves } = session
  const report: SessionLanding = { base: '', landed: [], returned: [], waiting: null, stopped: null, build: null }
  const moved = (branches: readonly string[]) => {
    for (const branch of branches) ownMoves.set(branch, performance.now())
  }
  const decided = <T extends { id: string }>(say: (task: T) => void) => {
    return (told: T) => {
      for (const task of undecided) if (task.id === told.id) undecided.delete(task)
      say(told)
    }
  }
  const { landed, returned, waiting } = watcher
  const hears = { landed: decided(landed), returned: decided(returned), waiting: sayOnce(waiting), moved }
  const keeps: LandKeeps = { green: new Set(), place: null }
  const undecided = new Set<Task>()
  let current: Promise<void> | null = null
  let isWanted = false
  let isBusyElsewhere = false

  const landOnce = async (): Promise<void> => {
    const methodOf = (task: Parameters<typeof configuredMethod>[1]) => configuredMethod(config, task)
    const request = { config, choose: chooseAutomatic(config), methodOf, watcher: hears, cancel: watcher.cancel, keeps }
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
  }

  const landWhileWanted = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      const looked = [...undecided]
      try {
        await landOnce()
      } catch (error) {
        // Agents at work must not be ended because the base could not be landed on.
        watcher.reported(error instanceof UserError ? errorWithHint(error) : String(error))
      }
      // What has not landed by now waits for something else, and nobody waits for it.
      if (!isBusyElsewhere) for (const task of looked) undecided.delete(task)
    }
    current = null
  }

  return {
    report,
    wake(finished) {
      if (finished && isAutomatic(config, finished.type)) undecided.add(finished)
      isWanted = true
      current ??= landWhileWanted()
    },
    undecided: () => [...undecided],
    landing: () => current,
    async verifyBuild() {
      if (report.landed.length === 0 || watcher.stop.aborted || config.verify.command === null) return
      report.build = await verifyBuild(ws, config, watcher.cancel)
    },
    async close() {
      await current
      if (report.base !== '') await dropLandPlace(ws, report.base)
    },
  }
}

/** A checkout that keeps the base is told about when the reason is new. */
function sayOnce(say: LandWatcher['waiting']): LandWatcher['waiting'] {
  let lastTold = ''
  return (landing, base) => {
    const told = `${landing.path} ${landing.why} ${landing.tasks.join()}`
    if (told === lastTold) return
    lastTold = told
    say(landing, base)
  }
}

function chooseAutomatic(config: Config) {
  return (view: LedgerView, base: LandBase) => {
    const landables = readLandableBranches(view, config, base).filter((landable) =>
      isAutomatic(config, leadOf(landable).type),
    )
    return planLanding(landables, () => 'unattended')
  }
}
