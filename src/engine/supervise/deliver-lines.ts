import { decodeLines, splitLines } from '../../agents/reading/split-lines.ts'
import type { Output } from '../../platform/processes/group-stdio.ts'
import type { Group } from '../../platform/processes/spawn-group.ts'

export type Stream = 'out' | 'err'

export interface LineTaker {
  onLine(stream: Stream, line: string): void
  /**
   * Many lines at once, as bytes without the last newline, while the program prints faster than lines can be looked at
   * one by one. Without this, every line goes to `onLine`. The bytes are valid only during the call.
   */
  onFlood?(stream: Stream, lines: Uint8Array): void
}

/** Delivers the lines of a process group to a callback. */
export interface Delivery {
  /** Grows with every chunk and line, so that a later look can tell silence from a slow callback. */
  progress(): number
  /** Waits until both streams have ended. Gives up if a process outside the group keeps one open and prints nothing. */
  finish(patienceMs: number): Promise<void>
}

const TURN_MS = 20

export function deliverLines({ out, err }: Group, taker: LineTaker): Delivery {
  let progress = 0
  const isFlood = watchRate()
  const readLines = async (stream: Stream, output: Output): Promise<void> => {
    const waiting: Uint8Array[] = []
    const splitter = splitLines((lines) => waiting.push(lines))
    const yieldIfDue = yieldRegularly()
    const takeEach = async (lines: Uint8Array): Promise<void> => {
      for (const line of decodeLines(lines)) {
        taker.onLine(stream, line)
        progress += 1
        await yieldIfDue()
      }
    }
    const takeWaiting = async (): Promise<void> => {
      progress += 1
      for (const lines of waiting) {
        if (isFlood(lines.length) && taker.onFlood) taker.onFlood(stream, lines)
        else await takeEach(lines)
        progress += 1
      }
      waiting.length = 0
      await yieldIfDue()
    }
    await output.read((chunk) => {
      splitter.push(chunk)
      return takeWaiting()
    })
    splitter.end()
    await takeWaiting()
  }
  const ended = Promise.all([readLines('out', out), readLines('err', err)])
  // `finish` reports a broken stream. Until then it must not be an unhandled rejection.
  ended.catch(() => {})
  return {
    progress: () => progress,
    finish: async (patienceMs) => {
      const patience = setInterval(
        stopWhenSilent(() => progress, [out, err]),
        patienceMs,
      )
      await ended.finally(() => clearInterval(patience))
    },
  }
}

const WINDOW_MS = 250
/** No model writes so fast, and so many lines are taken one by one in a tenth of the window. */
const MOST_IN_WINDOW = 256 * 1024

/** Whether the program prints more than that with these bytes. */
function watchRate(): (bytes: number) => boolean {
  let began = performance.now()
  let sum = 0
  return (bytes) => {
    const now = performance.now()
    if (now - began >= WINDOW_MS) {
      began = now
      sum = 0
    }
    sum += bytes
    return sum > MOST_IN_WINDOW
  }
}

/** Yields to timers and other streams regularly. Reading buffered data never does. */
function yieldRegularly(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        began = performance.now()
        resolve()
      }),
    )
  }
}

function stopWhenSilent(progress: () => number, outputs: readonly Output[]): () => void {
  let before = -1
  return () => {
    if (progress() === before) for (const output of outputs) output.stop()
    before = progress()
  }
}
