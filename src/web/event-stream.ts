import { openAccountChanges } from '../runs/spend/account.ts'
import { openLiveChanges } from '../workspace/live-changes.ts'
import type { WorkspaceOptions } from '../workspace/workspace.ts'
import type { WebHost } from './host.ts'
import { SAFE_HEADERS } from './respond.ts'
import type { ServedRepository } from './served-repositories.ts'

/** Tells the pages which repository has changed. They ask for what they show; nothing else is pushed. */
export interface EventStream {
  connect(signal: AbortSignal): Response
  /** Something of this repository has changed that the watches cannot see. */
  changed(id: string): void
  close(): void
}

const POLL_MS = 250
/** A comment now and then: otherwise nobody would notice a connection that is gone. */
const ALIVE_MS = 15_000

type Send = (text: string) => void

/** What is watched: repositories, and what all of them share, such as pauses at a usage limit. */
interface Watched {
  repositories: readonly ServedRepository[]
  env: WorkspaceOptions['env']
}

/** Watches only while a page is connected. */
export function openEventStream(watched: Watched, host: Pick<WebHost, 'watchRefs'>): EventStream {
  const listeners = new Set<Send>()
  let watching: { close(): void } | null = null
  const tell: Send = (text) => {
    for (const send of listeners) send(text)
  }
  const leave = (send: Send): void => {
    listeners.delete(send)
    if (listeners.size > 0) return
    watching?.close()
    watching = null
  }
  return {
    connect(signal) {
      let send: Send = () => {}
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          send = (text) => {
            try {
              controller.enqueue(ENCODER.encode(text))
            } catch {
              leave(send)
            }
          }
          listeners.add(send)
          watching ??= watchAll(watched, host, tell)
          send('event: hello\ndata: {}\n\n')
        },
        cancel: () => leave(send),
      })
      signal.addEventListener('abort', () => leave(send), { once: true })
      return new Response(body, { headers: { ...SAFE_HEADERS, 'content-type': 'text/event-stream' } })
    },
    changed: (id) => tell(changedEvent(id)),
    close() {
      listeners.clear()
      watching?.close()
      watching = null
    },
  }
}

const ENCODER = new TextEncoder()

function changedEvent(id: string): string {
  return `event: changed\ndata: ${JSON.stringify({ repository: id })}\n\n`
}

function watchAll({ repositories, env }: Watched, host: Pick<WebHost, 'watchRefs'>, tell: Send) {
  const changed = new Set<string>()
  const watched = repositories.map(({ id, commonDir, livePath }) => ({
    id,
    refs: host.watchRefs(commonDir, () => changed.add(id)),
    live: openLiveChanges(livePath),
  }))
  const account = quietly(openAccountChanges(env))
  // The first look only learns the state.
  account.hasChanged()
  for (const { live } of watched) live.hasChanged()
  const polling = setInterval(() => {
    const isAccount = account.hasChanged()
    for (const { id, live } of watched) if (live.hasChanged() || isAccount) changed.add(id)
    for (const id of changed) tell(changedEvent(id))
    changed.clear()
  }, POLL_MS)
  const living = setInterval(() => tell(': alive\n\n'), ALIVE_MS)
  return {
    close() {
      clearInterval(polling)
      clearInterval(living)
      account.close()
      for (const { refs, live } of watched) {
        refs.close()
        live.close()
      }
    },
  }
}

type Changes = ReturnType<typeof openAccountChanges>

/** A store that cannot be used is named in the inbox. It must not end the server. */
function quietly({ hasChanged, close }: Changes): Changes {
  return {
    hasChanged() {
      try {
        return hasChanged()
      } catch {
        return false
      }
    },
    close,
  }
}
