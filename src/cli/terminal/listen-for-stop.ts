import type { CallContext } from '../call-context.ts'

export interface StopSignals {
  stop: AbortSignal
  cancel: AbortSignal
  /** The exit code of a process that such a signal has ended; null: none has come. Ctrl-C has no code of its own here. */
  exitCode(): number | null
  /** The signals end the process again, as usual. */
  release(): void
}

/**
 * Ctrl-C once: finish what is running and start nothing new. Twice: end it now. SIGTERM and SIGHUP end it now: who
 * sends them, such as a system that shuts down, does not wait long. `sentence` is printed at the first of them.
 */
export function listenForStop(
  { endingSignals, display: { name } }: Pick<CallContext, 'endingSignals' | 'display'>,
  print: (sentence: string) => void,
  sentence?: string,
): StopSignals {
  const stop = new AbortController()
  const cancel = new AbortController()
  let echoUntil = 0
  let exitCode: number | null = null
  const endNow = (signal: keyof typeof EXIT_CODES) => {
    if (exitCode === null) print(sentence ?? ENDING)
    exitCode ??= EXIT_CODES[signal]
    stop.abort()
    cancel.abort()
  }
  const finish = () => {
    if (stop.signal.aborted) {
      if (performance.now() > echoUntil) cancel.abort()
      return
    }
    if (name === 'git-tasks') echoUntil = performance.now() + ECHO_MS
    print(sentence ?? FINISHING)
    stop.abort()
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGTERM' || signal === 'SIGHUP') endNow(signal)
    else finish()
  }
  for (const signal of endingSignals()) process.on(signal, onSignal)
  const release = () => {
    for (const signal of endingSignals()) process.off(signal, onSignal)
  }
  return { stop: stop.signal, cancel: cancel.signal, exitCode: () => exitCode, release }
}

const FINISHING = 'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.'
const ENDING = 'Ending what is running now; its work is kept.'

/** What a shell reports for a process that the signal ended. */
const EXIT_CODES = { SIGTERM: 143, SIGHUP: 129 } as const

/** With `git tasks` the terminal sends Ctrl-C to git and to this process, and git immediately forwards it once more. */
const ECHO_MS = 250
