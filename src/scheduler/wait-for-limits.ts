import type { WorkSession } from './work-session.ts'

const LOOK_MS = 1000
/** Longer than any limit that resets within a night. */
const MOST_WAIT_MS = 12 * 60 * 60_000

/** Waits while nothing but paused agents keeps tasks from starting. */
export interface LimitWait {
  /** Waits for a moment. False: there is nothing to wait for, or the person does not want to wait any longer. */
  wait(): Promise<boolean>
  /** Something runs again. */
  end(): void
}

/**
 * No task is held meanwhile, and every look finds new tasks, lifted pauses and the time of the wall clock, also after
 * the machine has slept.
 */
export function openLimitWait({ ws, options, watcher, report }: WorkSession): LimitWait {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of [watcher.stop, watcher.cancel]) signal.addEventListener('abort', () => resolve())
  })
  let since: number | null = null
  let announced = ''
  return {
    wait: async () => {
      if (!options.wait || report.paused.length === 0) return false
      since ??= ws.clock()
      if (ws.clock() - since >= (options.maxWaitMs ?? MOST_WAIT_MS)) return false
      const line = report.paused.map(({ agent, until }) => `${agent} is at its usage limit until ${until}`).join('; ')
      if (line !== announced) watcher.events.reported(`${line}. Waiting.`)
      announced = line
      await Promise.race([Bun.sleep(LOOK_MS), stopped])
      return true
    },
    end: () => {
      since = null
      announced = ''
    },
  }
}
