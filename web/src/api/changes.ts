import { signal } from '@preact/signals'
import { headers } from './request.ts'
import { forget, signedIn } from './session.ts'

export type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')
/** Counts the changes of each repository; a view reads again when its number grows. */
export const changes = signal<Readonly<Record<string, number>>>({})
/** Grows when something may have been missed: everything is read again. */
export const catchUps = signal(0)
/** Set for a moment after that. */
export const caughtUp = signal(false)

const RETRY_MS = [500, 1000, 2000, 4000]
/** The server sends something every 15 seconds. */
const SILENT_MS = 40_000
/** Timers of a page in the background come once a minute. A longer pause means that the machine slept. */
const ASLEEP_MS = 90_000
const SHOWN_MS = 6000

type Told =
  | { kind: 'changed'; repository: string }
  | { kind: 'connection'; state: Connection }
  | { kind: 'caught up' }
  | { kind: 'ask' }

/**
 * A browser opens at most six connections to one server, so of all tabs one listens and tells the others. The lock goes
 * to another tab when that one is closed. Resolves when changes arrive, or cannot: what is read after that misses none.
 */
export function followChanges(): Promise<void> {
  const channel = new BroadcastChannel('gza-changes')
  let isListening = false
  const tell = (told: Told): void => {
    take(told)
    channel.postMessage(told)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.kind !== 'ask') take(data)
    else if (isListening) channel.postMessage({ kind: 'connection', state: connection.value } satisfies Told)
  })
  channel.postMessage({ kind: 'ask' } satisfies Told)
  void navigator.locks.request('gza-stream', () => {
    isListening = true
    return listenForever(tell)
  })
  noticeSleep()
  return connected()
}

/** A page without a connection is shown too, with that notice. */
const CONNECTING_MS = 1000

function connected(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, CONNECTING_MS)
  const stop = connection.subscribe((state) => {
    if (state !== 'connecting') resolve()
  })
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
}

/** Reads everything of a repository again, without a change that the server knows of. */
export function readAgain(repository: string): void {
  take({ kind: 'changed', repository })
}

function take(told: Told): void {
  if (told.kind === 'connection') connection.value = told.state
  if (told.kind === 'caught up') catchUp()
  if (told.kind === 'changed')
    changes.value = { ...changes.value, [told.repository]: (changes.value[told.repository] ?? 0) + 1 }
}

let shown: ReturnType<typeof setTimeout>

/** What happened meanwhile is unknown: every view reads again, and keeps what it shows until it has. */
function catchUp(): void {
  catchUps.value += 1
  caughtUp.value = true
  clearTimeout(shown)
  shown = setTimeout(() => {
    caughtUp.value = false
  }, SHOWN_MS)
}

/** Also if the connection has survived the sleep, what it brought may have been dropped. */
function noticeSleep(): void {
  let last = Date.now()
  setInterval(() => {
    if (Date.now() - last > ASLEEP_MS) catchUp()
    last = Date.now()
  }, 5000)
  window.addEventListener('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) catchUp()
  })
}

async function listenForever(tell: (told: Told) => void): Promise<never> {
  for (let failures = 0; ; failures++) {
    const wasLost = connection.value === 'lost'
    await listen(tell, () => {
      failures = 0
      if (wasLost) tell({ kind: 'caught up' })
    })
    if (signedIn.value === 'no') await new Promise(() => {})
    tell({ kind: 'connection', state: 'lost' })
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]))
  }
}

/** Until the connection ends, or nothing has come for too long. */
async function listen(tell: (told: Told) => void, opened: () => void): Promise<void> {
  const ending = new AbortController()
  let silence = setTimeout(() => ending.abort(), SILENT_MS)
  try {
    const response = await fetch('/api/events', { headers: headers(), signal: ending.signal })
    // Another server has the same port, and knows nobody.
    if (response.status === 401) forget()
    if (!response.ok || response.body === null) return
    tell({ kind: 'connection', state: 'live' })
    opened()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(() => ending.abort(), SILENT_MS)
      const events = (rest + value).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: changed\ndata: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) tell({ kind: 'changed', repository: JSON.parse(data).repository })
      }
    }
  } catch {
    // It is lost, and tried again.
  } finally {
    clearTimeout(silence)
  }
}
