/**
 * The server of a broker. Only programs of agents connect, and they may do anything: send nothing, send half, send too
 * much, leave, or come a thousand times. Nothing of that may stop others or fill the memory of the supervisor.
 */
import { type Connection, listenAt } from '../../../platform/sockets/unix-socket.ts'
import { frameOf, frameReader, type ReadFrame } from './frames.ts'
import { MOST_REQUEST_BYTES, READY, REFUSALS, type Refusal } from './protocol.ts'

export interface ServerLimits {
  connections: number
  /** How long somebody may be silent while others wait for the connection. */
  silentMs: number
  /** Between two pieces of a request. */
  idleMs: number
  /** From the connection to the end of the request. */
  requestMs: number
  /** Until the peer has read the answer. */
  answerMs: number
}

export interface ServerOptions {
  path: string
  limits: ServerLimits
  mayConnect: (connection: Connection) => boolean
  /** Called for one request at a time, in the order in which they became complete. */
  answer: (request: Uint8Array) => Promise<Uint8Array>
}

interface Visitor {
  connection: Connection
  since: number
  read: (piece: Uint8Array) => ReadFrame
  /** Null until it is complete. */
  request: Uint8Array | null
  /** The part of the answer that the system has not taken yet. */
  unsent: Uint8Array
  isGone: boolean
  whenIdle: Timer
  whenLate: Timer
  finished: PromiseWithResolvers<void>
}

type Timer = ReturnType<typeof setTimeout>

export function serveRequests({ path, limits, mayConnect, answer }: ServerOptions): { close(): Promise<void> } {
  const visitors = new Map<Connection, Visitor>()
  const queue: Visitor[] = []
  let work: Promise<void> | null = null

  const workOff = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // A caller that is gone does not hear the answer, so its call is not made.
      if (next.isGone || next.request === null) continue
      const bytes = await answer(next.request)
      if (!next.isGone) await deliver(next, bytes, limits.answerMs)
    }
    work = null
  }

  const welcome = (connection: Connection): void => {
    visitors.set(connection, newVisitor(connection, limits))
    connection.send(frameOf(READY))
  }

  const enqueue = (visitor: Visitor, request: Uint8Array): void => {
    visitor.request = request
    queue.push(visitor)
    work ??= workOff()
  }

  const receive = (visitor: Visitor, piece: Uint8Array): void => {
    if (visitor.request !== null) {
      visitor.connection.close()
      return
    }
    visitor.whenIdle.refresh()
    const read = visitor.read(piece)
    if (read.kind === 'incomplete') return
    forgetTimers(visitor)
    if (read.kind === 'excess') turnAway(visitor.connection, REFUSALS.unreadable)
    else enqueue(visitor, read.body)
  }

  const server = listenAt(path, {
    opened: (connection) => {
      if (!mayConnect(connection)) connection.close()
      else if (visitors.size >= limits.connections && !makeRoom(visitors, limits)) turnAway(connection, REFUSALS.busy)
      else welcome(connection)
    },
    received: (connection, piece) => {
      const visitor = visitors.get(connection)
      if (visitor === undefined) connection.close()
      else receive(visitor, piece)
    },
    drained: (connection) => {
      const visitor = visitors.get(connection)
      if (visitor !== undefined) sendRest(visitor)
    },
    closed: (connection) => {
      const visitor = visitors.get(connection)
      visitors.delete(connection)
      if (visitor !== undefined) leave(visitor)
    },
  })

  return {
    close: async () => {
      queue.length = 0
      server.stop()
      for (const visitor of visitors.values()) leave(visitor)
      visitors.clear()
      await work
    },
  }
}

function newVisitor(connection: Connection, { idleMs, requestMs }: ServerLimits): Visitor {
  const drop = () => connection.close()
  return {
    connection,
    since: performance.now(),
    read: frameReader(MOST_REQUEST_BYTES),
    request: null,
    unsent: NOTHING,
    isGone: false,
    whenIdle: setTimeout(drop, idleMs),
    whenLate: setTimeout(drop, requestMs),
    finished: Promise.withResolvers(),
  }
}

const NOTHING = new Uint8Array()

/** The oldest one that has not asked anything makes room, unless it has just come: a real caller asks at once. */
function makeRoom(visitors: Map<Connection, Visitor>, { silentMs }: ServerLimits): boolean {
  const oldest = visitors.values().find(({ request }) => request === null)
  if (oldest === undefined || performance.now() - oldest.since < silentMs) return false
  visitors.delete(oldest.connection)
  leave(oldest)
  turnAway(oldest.connection, REFUSALS.busy)
  return true
}

/** Its request is not complete and will not be made, so it can come again. */
function turnAway(connection: Connection, refused: Refusal): void {
  connection.send(frameOf({ refused }))
  connection.close()
}

function leave(visitor: Visitor): void {
  visitor.isGone = true
  forgetTimers(visitor)
  visitor.finished.resolve()
}

function forgetTimers({ whenIdle, whenLate }: Visitor): void {
  clearTimeout(whenIdle)
  clearTimeout(whenLate)
}

/** Ends when the peer has the answer, has left, or takes too long. So there is never more than one answer in memory. */
async function deliver(visitor: Visitor, bytes: Uint8Array, limitMs: number): Promise<void> {
  visitor.unsent = bytes
  const limit = setTimeout(() => visitor.connection.close(), limitMs)
  sendRest(visitor)
  await visitor.finished.promise
  clearTimeout(limit)
}

function sendRest(visitor: Visitor): void {
  if (visitor.request === null || visitor.unsent.length === 0) return
  const taken = visitor.connection.send(visitor.unsent)
  if (taken < 0) visitor.connection.close()
  visitor.unsent = visitor.unsent.subarray(Math.max(0, taken))
  if (visitor.unsent.length > 0) return
  visitor.connection.close()
  visitor.finished.resolve()
}
