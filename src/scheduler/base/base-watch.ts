/**
 * Checks the base before agents start: work on a base that fails its own checks could not be judged. The base is checked
 * when work begins, and again after it has moved other than by landing. Runs that are under way continue meanwhile.
 */
import type { Config } from '../../core/config/settings.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { errorWithHint, UserError } from '../../core/user-error.ts'
import { checkLine, knownRedBase, wasGreen } from '../../landing/base-checks.ts'
import { type LandBase, landBase } from '../../landing/land-base.ts'
import type { BuildCheck } from '../../landing/land-report.ts'
import { announceCheck, verifyBase } from '../../landing/verify-base.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { WorkOptions } from '../work-options.ts'
import type { BaseRed, WorkWatcher } from '../work-report.ts'

export interface BaseWatch {
  /** False: not now, because the base is being checked, or because it is red. */
  mayStart(): boolean
  /** How the base fails, as far as it is known. */
  red(): BaseRed | null
  /** Null: no check is under way. */
  checking(): Promise<void> | null
  /** Checks the base although it was green before. Null: it was stopped. */
  recheck(): Promise<CheckedBase | null>
}

interface BaseInput {
  ws: Workspace
  config: Config
  options: Pick<WorkOptions, 'baseCheck'>
  watcher: WorkWatcher
}

interface CheckedBase {
  commit: string
  red: BaseRed | null
}

/** `isNamed`: a person named the tasks, maybe to mend the base. They start even if it is red, with a warning. */
export function openBaseWatch({ ws, config, options, watcher }: BaseInput, isNamed: boolean): BaseWatch {
  const isWatched = options.baseCheck !== false && config.verify.command !== null
  const stop = AbortSignal.any([watcher.stop, watcher.cancel])
  let known: CheckedBase | null = null
  let checking: Promise<void> | null = null
  let rechecking: Promise<CheckedBase | null> | null = null
  const announced = ({ name, tip }: LandBase, why: string, perform: () => Promise<CheckedBase | null>) => {
    const about = { base: name, commit: tip, why, run: checkLine(config) }
    return announceCheck(watcher.base, about, { perform, isGreen: ({ red }) => red === null })
  }
  const check = async (base: LandBase): Promise<void> => {
    const { name, tip } = base
    try {
      known = await announced(base, 'before agents start', () =>
        checkTwice(ws, config, { cancel: stop, mayBeKnown: true }),
      )
      if (known?.red && isNamed) watcher.events.reported(redLine(known.red, ' What you named starts anyway.'))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      // A landing meets the same again. Agents can work meanwhile.
      watcher.events.reported(`${name} was not checked: ${errorWithHint(error, '. ')}`)
      known = { commit: tip, red: null }
    } finally {
      checking = null
    }
  }
  return {
    mayStart() {
      const base = isWatched ? baseOf(ws) : null
      if (base === null) return true
      // Another gza has found it green meanwhile.
      if (known?.red && !isNamed && knownRedBase(ws) === null) known = null
      if (known?.commit !== base.tip && wasGreen(ws, config, base.tip)) known = { commit: base.tip, red: null }
      if (known?.commit === base.tip) return known.red === null || isNamed
      if (!stop.aborted) checking ??= check(base)
      return false
    },
    red: () => known?.red ?? null,
    checking: () => checking,
    recheck: () => {
      const again = () => checkTwice(ws, withCommand(config), { cancel: stop, mayBeKnown: false })
      rechecking ??= announced(landBase(ws), 'too, because the check of a task failed', again).finally(() => {
        rechecking = null
      })
      return rechecking
    },
  }
}

/** Without a branch or a commit, the run itself reports it. */
function baseOf(ws: Workspace): LandBase | null {
  try {
    return landBase(ws)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** A tree without a check is not even set up. Here the set-up itself is the question. */
function withCommand(config: Config): Config {
  return config.verify.command === null ? { ...config, verify: { ...config.verify, command: 'true' } } : config
}

const BUSY_MS = 300

interface CheckOptions {
  cancel: AbortSignal
  /** What another process has found out meanwhile counts. */
  mayBeKnown: boolean
}

/** A red result counts if the same commit is red twice: a test may fail by chance. Null: it was stopped. */
async function checkTwice(ws: Workspace, config: Config, options: CheckOptions): Promise<CheckedBase | null> {
  const { cancel, mayBeKnown } = options
  let earlier: BuildCheck | null = null
  while (!cancel.aborted) {
    const build: BuildCheck | null = await verifyBase(ws, config, cancel, earlier)
    if (build === null) {
      // Another process checks or lands there, and may move the base.
      await Bun.sleep(BUSY_MS)
      const { tip } = landBase(ws)
      if (mayBeKnown && wasGreen(ws, config, tip)) return { commit: tip, red: null }
      continue
    }
    const { base, commit, ok, detail, in_box } = build
    if (ok) return { commit, red: null }
    const red = { base, commit, detail, run: checkLine(config), in_box }
    // In a box and outside is twice.
    if (commit === earlier?.commit || build.failed_outside) return { commit, red }
    earlier = build
  }
  return null
}

/** `main (1a2b3c4) fails its own checks: npm test exited with 1: cart > adds up.` */
export function redLine({ base, commit, detail, in_box }: BaseRed, then = ''): string {
  const how = in_box ? 'passes its checks outside, but fails them in a box' : 'fails its own checks'
  return `${base} (${commit.slice(0, 7)}) ${how}: ${firstLine(detail)}.${then}${in_box ? ` ${in_box.advice}` : ''}`
}
