/** Lets other runs go first while this run waits for something outside gza: an agent or the project's tests. */
export type YieldWhile = <T>(wait: () => Promise<T>) => Promise<T>

export interface Semaphore {
  /** Does the work when a place is free. */
  withPlace<T>(work: (yieldWhile: YieldWhile) => Promise<T>): Promise<T>
}

/**
 * Limits how many runs do gza's own work at once. Runs that end together would otherwise share the cores and all be
 * late. One after the other, the first one's successor has its agent working while the last still waits. So runs that
 * begin go before runs that return from a wait. Each queue is in order of arrival.
 */
export function openSemaphore(places: number): Semaphore {
  let free = places
  const beginning: (() => void)[] = []
  const returning: (() => void)[] = []
  const enter = async (queue: (() => void)[]): Promise<void> => {
    if (free === 0) return new Promise((resolve) => queue.push(resolve))
    free--
  }
  const leave = (): void => {
    const next = beginning.shift() ?? returning.shift()
    if (next === undefined) free++
    else next()
  }
  const yieldWhile: YieldWhile = async (wait) => {
    leave()
    try {
      return await wait()
    } finally {
      await enter(returning)
    }
  }
  return {
    withPlace: async (work) => {
      await enter(beginning)
      try {
        return await work(yieldWhile)
      } finally {
        leave()
      }
    },
  }
}
