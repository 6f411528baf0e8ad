import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { answer, type Place } from './answer.ts'
import { openTransport, type Streams } from './line-transport.ts'
import { type Answerer, makeServer } from './make-server.ts'

export interface ServeOptions extends Place, Streams {
  version: string
  /** Aborted when the server is asked to end. */
  stop: AbortSignal
}

/** Serves one client until its input ends, or nobody reads the answers. */
export async function serve({ version, stop, ...options }: ServeOptions): Promise<void> {
  const transport = openTransport(options)
  const { inTurn, finished } = openQueue()
  const ask: Answerer = (request, client) => inTurn(() => answer(options, request, client))
  const server = serveStdio(() => makeServer(ask, version), {
    transport,
    onerror: ({ message }) => options.complain(message),
  })
  await Promise.race([transport.ended, aborted(stop)])
  // What was begun is finished, also for a client that is gone.
  await finished()
  await server.close()
}

/** One request after the other, in the order in which they came. */
function openQueue() {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
  return { inTurn, finished: () => last }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
