import { splitLines } from '../../agents/reading/split-lines.ts'
import type { Output } from '../../platform/processes/group-stdio.ts'
import type { Group } from '../../platform/processes/spawn-group.ts'

export type Stream = 'out' | 'err'

/** Delivers the lines of a process group to a callback. */
export interface Delivery {
  /** Grows with every chunk and line, so that a later look can tell silence from a slow callback. */
  progress(): number
  /** Waits until both streams have ended. Gives up if a process outside the group keeps one open and prints nothing. */
  finish(patienceMs: number): Promise<void>
}

const TURN_MS = 20

export function deliverLines({ out, err }: Group, take: (stream: Stream, line: string) => void): Delivery {
  let progress = 0
  const readLines = async (stream: Stream, output: Output): Promise<void> => {
    const waiting: string[] = []
    const splitter = splitLines((line, dropped) => waiting.push(dropped === 0 ? line : `${line}… (+${dropped} bytes)`))
    const yieldIfDue = yieldRegularly()
    const takeWaiting = async (): Promise<void> => {
      progress += 1
      for (const line of waiting) {
        take(stream, line)
        progress += 1
        await yieldIfDue()
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
