import type { ProgramName } from './display.ts'

export interface StopSignals {
  stop: AbortSignal
  cancel: AbortSignal
  /** Ctrl-C ends the process again, as usual. */
  release(): void
}

export interface StopOptions {
  /** Printed after the first Ctrl-C. */
  sentence?: string
  /** The name the program was called by. */
  name?: ProgramName
}

/** Ctrl-C once: finish what is running and start nothing new. Twice: end it now. */
export function listenForStop(
  print: (sentence: string) => void,
  { sentence = FINISHING, name = 'gza' }: StopOptions = {},
): StopSignals {
  const stop = new AbortController()
  const cancel = new AbortController()
  let echoUntil = 0
  const onSignal = () => {
    if (stop.signal.aborted) {
      if (performance.now() > echoUntil) cancel.abort()
      return
    }
    if (name === 'git-tasks') echoUntil = performance.now() + ECHO_MS
    print(sentence)
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { stop: stop.signal, cancel: cancel.signal, release }
}

const FINISHING = 'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.'

/** With `git tasks` the terminal sends Ctrl-C to git and to this process, and git immediately forwards it once more. */
const ECHO_MS = 250
