import { checkLine, knownRedBase } from '../landing/base-checks.ts'
import { landBase } from '../landing/land-base.ts'
import type { BaseRed } from './work-report.ts'
import type { WorkSession } from './work-session.ts'

const LOOK_MS = 1000
/** Longer than any limit that resets within a night. */
const MOST_WAIT_MS = 12 * 60 * 60_000

/** Waits while nothing can continue until paused agents may be called again, or until the base is mended. */
export interface SessionWait {
  /** Waits for a moment. False: there is nothing to wait for, or the person does not want to wait any longer. */
  wait(): Promise<boolean>
  /** Something runs again. */
  end(): void
}

/**
 * No task is held meanwhile, and every look finds new tasks, lifted pauses, a base that has moved, and the time of the
 * wall clock, also after the machine has slept.
 */
export function openSessionWait(session: WorkSession): SessionWait {
  const { ws, options, watcher, report, services } = session
  const stopped = new Promise<void>((resolve) => {
    for (const signal of [watcher.stop, watcher.cancel]) signal.addEventListener('abort', () => resolve())
  })
  let since: number | null = null
  let announced = ''
  let isHeld = false
  return {
    wait: async () => {
      const red = redBase(session)
      if (!options.wait || (red === null && report.paused.length === 0)) return false
      since ??= ws.clock()
      if (ws.clock() - since >= (options.maxWaitMs ?? MOST_WAIT_MS)) return false
      if (red !== null && knownRedBase(ws) === null) {
        // It has moved, or another gza has found it green. What could not land there tries again.
        services.lander.wake()
        return true
      }
      const line = red === null ? pausedLine(session) : `${red.base} ${red.commit}`
      if (line !== announced && red === null) watcher.events.reported(line)
      if (line !== announced && red !== null) watcher.base?.held(red)
      announced = line
      isHeld ||= red !== null
      await Promise.race([Bun.sleep(LOOK_MS), stopped])
      return true
    },
    end: () => {
      if (isHeld) watcher.base?.held(null)
      since = null
      announced = ''
      isHeld = false
    },
  }
}

function pausedLine({ report }: WorkSession): string {
  const all = report.paused.map(({ agent, until }) => `${agent} is at its usage limit until ${until}`)
  return `${all.join('; ')}. Waiting.`
}

/** The red base that keeps tasks from starting, or finished work from landing. */
function redBase({ ws, config, report: { baseRed, landing } }: WorkSession): BaseRed | null {
  if (baseRed !== null || landing?.stopped?.code !== 'BASE_RED' || landing.failure !== null) return baseRed
  const { detail, in_box } = landing.stopped
  return { base: landing.base, commit: landBase(ws).tip, detail, run: checkLine(config), in_box }
}
