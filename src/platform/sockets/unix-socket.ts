import { chmodSync } from 'node:fs'

/** What happens at one end of a connection, or at a server with many of them. */
export interface Listener {
  opened(connection: Connection): void
  received(connection: Connection, bytes: Uint8Array): void
  /** There is room again for what `send` did not take. */
  drained(connection: Connection): void
  closed(connection: Connection): void
}

export interface Connection {
  readonly fd: number
  /** Returns how many bytes were taken; fewer than given if the peer reads slowly, below 0 if it is gone. */
  send(bytes: Uint8Array): number
  /** Closes it. The peer can still read what was taken. */
  close(): void
}

/** Listens at a path that nobody but this user can use. */
export function listenAt(path: string, listener: Listener): { stop(): void } {
  const server = Bun.listen({ unix: path, socket: callbacksFor(listener) })
  chmodSync(path, 0o600)
  return { stop: () => server.stop(true) }
}

/** `closed`: somebody listens, and has closed the connection at once or has no room for it. `nobody`: nobody listens. */
export async function connectTo(path: string, listener: Listener): Promise<'connected' | 'closed' | 'nobody'> {
  try {
    await Bun.connect({ unix: path, socket: callbacksFor(listener) })
    return 'connected'
  } catch (error) {
    return ['ECONNRESET', 'EPIPE', 'EAGAIN'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'closed' : 'nobody'
  }
}

function callbacksFor(listener: Listener): Bun.SocketHandler<undefined> {
  const known = new Map<unknown, Connection>()
  const connectionOf = (socket: Bun.Socket<undefined>): Connection => {
    const connection = known.get(socket) ?? connectionBy(socket)
    known.set(socket, connection)
    return connection
  }
  return {
    open: (socket) => listener.opened(connectionOf(socket)),
    data: (socket, bytes) => listener.received(connectionOf(socket), bytes),
    drain: (socket) => listener.drained(connectionOf(socket)),
    close(socket) {
      const connection = connectionOf(socket)
      known.delete(socket)
      listener.closed(connection)
    },
    // The runtime calls close too.
    error: (socket) => {
      socket.terminate()
    },
  }
}

function connectionBy(socket: Bun.Socket<undefined>): Connection {
  return {
    get fd() {
      return (socket as unknown as { fd: number }).fd
    },
    send: (bytes) => socket.write(bytes),
    close: () => socket.terminate(),
  }
}
