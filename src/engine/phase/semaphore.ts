/** Lets others go first while something outside of gza is waited for: an agent, the project's own tests. */
export type YieldWhile = <T>(wait: () => Promise<T>) => Promise<T>

export interface Semaphore {
  /** Does the work when it is its turn. */
  withPlace<T>(work: (yieldWhile: YieldWhile) => Promise<T>): Promise<T>
}

/**
 * What a run does between its agent's phases, for so many runs at once. Runs that end together would else share the
 * cores and all be late. In turn the first has its successor's agent at work while the last still waits; for that, who
 * begins goes before who comes back, each in the order of their coming.
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
