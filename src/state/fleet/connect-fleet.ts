/**
 * The connection to a fleet's PostgreSQL. It survives an outage: what runs meanwhile fails, and the next call connects
 * again.
 */
import type { Connection, Options, PooledConnection } from 'pg'

export interface FleetDatabase {
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** All or nothing. The work must not wait for anything but the database. */
  inTransaction<T>(work: (rows: FleetDatabase['rows']) => Promise<T>): Promise<T>
  /**
   * Calls back at each notice, and after each new connection: one may have been missed before. All channels are named at
   * the beginning.
   */
  listen(channel: string, received: () => void): void
  close(): Promise<void>
}

export interface ConnectOptions {
  address: string
  /** Shown in the server's list of connections. */
  name: string
  /** An outage causes many of them. */
  failed: (error: Error) => void
}

/** A connection that hangs must not keep a lock: neither on the server nor here. */
const LIMITS = '-c statement_timeout=5000 -c idle_in_transaction_session_timeout=5000 -c lock_timeout=4000'
const CONNECT_MS = 5000
const MOST_CONNECTIONS = 3
const RECONNECT_MS = 1000

/** The driver is loaded only here: a static import would cost every command. */
export async function connectFleet({ address, name, failed }: ConnectOptions): Promise<FleetDatabase> {
  const driver = await import('pg')
  const options: Options = {
    ...{ connectionString: address, application_name: name, options: LIMITS, keepAlive: true },
    connectionTimeoutMillis: CONNECT_MS,
  }
  const pool = new driver.Pool({ ...options, max: MOST_CONNECTIONS })
  pool.on('error', failed)
  const listeners = new Map<string, () => void>()
  let isListening = false
  let isClosed = false

  const listenOnce = async (): Promise<void> => {
    const client = new driver.Client(options)
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    client.on('error', (error) => {
      if (error !== undefined) failed(error)
      resolve()
    })
    client.on('end', () => resolve())
    client.on('notification', ({ channel }) => listeners.get(channel)?.())
    stopListening = () => void client.end().catch(() => {})
    await client.connect()
    for (const channel of listeners.keys()) await client.query(`LISTEN ${channel}`)
    for (const received of listeners.values()) received()
    await ended
  }
  let stopListening = (): void => {}
  const keepListening = async (): Promise<void> => {
    while (!isClosed) {
      await listenOnce().catch(failed)
      stopListening()
      if (!isClosed) await Bun.sleep(RECONNECT_MS)
    }
  }

  return {
    rows: rowsOf(pool),
    inTransaction: (work) => inTransaction(() => pool.connect(), work),
    listen: (channel, received) => {
      listeners.set(channel, received)
      if (!isListening) void Bun.sleep(0).then(keepListening)
      isListening = true
    },
    close: async () => {
      isClosed = true
      stopListening()
      await pool.end().catch(() => {})
    },
  }
}

function rowsOf(connection: Connection): FleetDatabase['rows'] {
  return async <T>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
    // Without values several statements may be in one text, and then there are several answers.
    const answer = await connection.query(text, values.length === 0 ? undefined : values)
    return (answer.rows ?? []) as T[]
  }
}

async function inTransaction<T>(
  connect: () => Promise<PooledConnection>,
  work: (rows: FleetDatabase['rows']) => Promise<T>,
): Promise<T> {
  const connection = await connect()
  try {
    await connection.query('BEGIN')
    const result = await work(rowsOf(connection))
    await connection.query('COMMIT')
    connection.release()
    return result
  } catch (error) {
    // Closed, not rolled back: the connection may be the reason, and the server rolls back what it loses.
    connection.release(true)
    throw error
  }
}
