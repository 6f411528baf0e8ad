/** How a supervised program ended. */
export type PhaseEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'timed-out' }
  | { kind: 'stalled' }
  | { kind: 'cancelled' }
  | { kind: 'over-budget'; what: string }
  | { kind: 'not-started'; why: string }

export interface PhaseLimits {
  timeoutMs: number
  /** How long both streams may be silent. */
  stallMs: number
  cancel?: AbortSignal
}

/**
 * Why a phase is over. `left`: its first process ended. `stopped`: it did not end although its work was done. `broken`:
 * the callback for its lines, or gza itself, failed.
 */
export type Cause =
  | { kind: 'left' }
  | { kind: 'stopped' }
  | { kind: 'broken' }
  | Extract<PhaseEnd, { kind: 'timed-out' | 'stalled' | 'cancelled' | 'over-budget' }>

export interface CauseWatch {
  /** The first cause. */
  cause: Promise<Cause>
  report(cause: Cause): void
  /** The work is done: from now on only the grace period counts. */
  startGrace(graceMs: number): void
}

const TICK_MS = 100
const TICKS_A_LOOK = 10

interface Watched {
  progress(): number
  /** Called about once a second, with how long both streams have been silent. */
  look(silentMs: number): void
}

/** Waits for the limits, the cancel signal, and reported causes. */
export function watchCause(limits: PhaseLimits, { progress, look }: Watched): CauseWatch {
  const { promise, resolve } = Promise.withResolvers<Cause>()
  const silence = silenceMeter(progress)
  const began = performance.now()
  let graceEnds = Number.POSITIVE_INFINITY
  let ticks = 0
  const tick = (): void => {
    const now = performance.now()
    const silentMs = silence(now)
    if (ticks++ % TICKS_A_LOOK === 0) look(silentMs)
    const over = overLimit(limits, now - began, silentMs)
    if (now >= graceEnds) resolve({ kind: 'stopped' })
    else if (over && graceEnds === Number.POSITIVE_INFINITY) resolve(over)
  }
  const cancel = (): void => resolve({ kind: 'cancelled' })
  const timer = setInterval(tick, TICK_MS)
  limits.cancel?.addEventListener('abort', cancel)
  if (limits.cancel?.aborted) cancel()
  const cause = promise.finally(() => {
    clearInterval(timer)
    limits.cancel?.removeEventListener('abort', cancel)
  })
  return {
    cause,
    report: resolve,
    startGrace: (graceMs) => {
      graceEnds = Math.min(graceEnds, performance.now() + graceMs)
    },
  }
}

function overLimit({ timeoutMs, stallMs }: PhaseLimits, ms: number, silentMs: number): Cause | null {
  if (ms >= timeoutMs) return { kind: 'timed-out' }
  return silentMs >= stallMs ? { kind: 'stalled' } : null
}

/**
 * Counts silence only while gza listened. A late tick, because a callback was slow or the machine slept, counts as two
 * at most. Otherwise gza itself would cause stalls.
 */
function silenceMeter(progress: () => number): (now: number) => number {
  let last = { at: performance.now(), progress: -1 }
  let silentMs = 0
  return (now) => {
    const progressed = progress()
    silentMs = progressed === last.progress ? silentMs + Math.min(now - last.at, 2 * TICK_MS) : 0
    last = { at: now, progress: progressed }
    return silentMs
  }
}
