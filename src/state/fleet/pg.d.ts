/** What is used of the driver. It brings no types of its own. */
declare module 'pg' {
  interface Answer {
    rows: unknown[]
  }

  interface Connection {
    query(text: string, values?: readonly unknown[]): Promise<Answer>
  }

  interface PooledConnection extends Connection {
    release(error?: Error | boolean): void
  }

  export interface Options {
    connectionString: string
    application_name: string
    options: string
    connectionTimeoutMillis: number
    keepAlive: boolean
    max?: number
  }

  export class Pool implements Connection {
    constructor(options: Options)
    query(text: string, values?: readonly unknown[]): Promise<Answer>
    connect(): Promise<PooledConnection>
    end(): Promise<void>
    on(event: 'error', received: (error: Error) => void): void
  }

  export class Client implements Connection {
    constructor(options: Options)
    connect(): Promise<void>
    query(text: string, values?: readonly unknown[]): Promise<Answer>
    end(): Promise<void>
    on(event: 'error' | 'end', received: (error?: Error) => void): void
    on(event: 'notification', received: (notice: { channel: string; payload?: string }) => void): void
  }
}
