import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { findBroker } from '../engine/isolation/broker/call-broker.ts'
import { answer, type Place, type Request } from './answer.ts'
import { askBroker } from './boxed.ts'
import { openTransport, type Streams } from './line-transport.ts'
import { type Answerer, makeServer } from './make-server.ts'

export interface ServeOptions extends Place, Streams {
  version: string
  /** Aborted when the server is asked to end. */
  stop: AbortSignal
  /** How often claims are renewed. */
  renewMs?: number
}

/** Serves one client until its input ends, or nobody reads the answers. */
export async function serve({ version, stop, ...options }: ServeOptions): Promise<void> {
  const transport = openTransport(options)
  const { inTurn, finished } = openQueue()
  let name: string | undefined
  const connection = `mcp-${crypto.randomUUID()}`
  const broker = findBroker(options.env)
  const askHere = (request: Request) =>
    inTurn(() => (broker === null ? answer({ ...options, connection }, request, name) : askBroker(broker, request)))
  const ask: Answerer = (request, client) => {
    name = client ?? name
    return askHere(request)
  }
  const renewing = setInterval(() => void askHere({ kind: 'renew' }), options.renewMs ?? RENEW_MS)
  const server = serveStdio(() => makeServer(ask, version), {
    transport,
    onerror: ({ message }) => options.complain(message),
  })
  await Promise.race([transport.ended, aborted(stop)])
  // What was begun is finished, also for a client that is gone.
  await finished()
  clearInterval(renewing)
  await askHere({ kind: 'leave' })
  await server.close()
}

/** A claim lasts ten minutes after it was renewed. */
const RENEW_MS = 120_000

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
