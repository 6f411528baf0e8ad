export interface StopSignals {
  stop: AbortSignal
  cancel: AbortSignal
  /** Gives Ctrl-C back to the system. */
  forget(): void
}

/** Ctrl-C once: finish what runs and take nothing new. Twice: end it now. */
export function listenForStop(say: (sentence: string) => void, sentence = FINISHING): StopSignals {
  const stop = new AbortController()
  const cancel = new AbortController()
  const heard = () => {
    if (stop.signal.aborted) {
      cancel.abort()
      return
    }
    say(sentence)
    stop.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, heard)
  const forget = () => {
    for (const signal of signals) process.off(signal, heard)
  }
  return { stop: stop.signal, cancel: cancel.signal, forget }
}

const FINISHING = 'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.'
