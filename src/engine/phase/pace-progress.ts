import type { Progress } from './run-context.ts'

const PAUSE_MS = 100

export interface PacedProgress {
  take(progress: Progress): void
  /** Records what is still waiting. */
  flush(): void
}

/**
 * Records what a run does at most ten times a second, with what happened in between taken together: an agent may report
 * thousands of actions in that time, and each record is a transaction. What recovery needs is recorded at once.
 */
export function paceProgress(record: (progress: Progress) => void): PacedProgress {
  let waiting: Progress | null = null
  let recordedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const progress = waiting
    waiting = null
    if (progress === null) return
    recordedAt = performance.now()
    record(progress)
  }
  function flushLater(): void {
    timer ??= setTimeout(() => {
      try {
        flush()
      } catch {
        // It is only shown. A store that cannot be written is reported by the next step of the run.
      }
    }, PAUSE_MS)
    timer.unref()
  }
  return {
    flush,
    take(progress) {
      waiting = { ...waiting, ...progress }
      const isNeeded = progress.phase !== undefined || progress.session !== undefined || progress.files !== undefined
      if (isNeeded || performance.now() - recordedAt >= PAUSE_MS) flush()
      else flushLater()
    },
  }
}
