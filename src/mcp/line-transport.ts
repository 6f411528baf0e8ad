/**
 * The protocol on two streams: one JSON value on each line. Unlike the one that comes with the package, it answers
 * everything that was asked before the input ended, still reads while a client does not read, and survives any line.
 */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { type Line, splitLines } from './input-lines.ts'

export interface Streams {
  input: AsyncIterable<Uint8Array>
  /** Fails if nobody reads any more. */
  write(bytes: Uint8Array): Promise<void>
  /** For a line that cannot be answered. */
  complain(sentence: string): void
}

export interface LineTransport extends Transport {
  /** The input has ended and everything is answered, or nobody reads the answers. */
  ended: Promise<void>
}

export function openTransport({ input, write, complain }: Streams): LineTransport {
  const ended = Promise.withResolvers<void>()
  const inputEnd = Promise.withResolvers<void>()
  const unanswered = new Set<unknown>()
  let hasInputEnded = false
  let written: Promise<void> = Promise.resolve()

  const endIfAnswered = (): void => {
    if (hasInputEnded && unanswered.size === 0) Promise.race([written, Bun.sleep(UNREAD_MS)]).then(ended.resolve)
  }
  const settle = (id: unknown): void => {
    unanswered.delete(id)
    endIfAnswered()
  }
  /** What was asked before the reader left is done, though nobody reads the answers. */
  const loseReader = async (): Promise<void> => {
    await Promise.race([inputEnd.promise, Bun.sleep(LAST_MS)])
    hasInputEnded = true
    endIfAnswered()
  }
  const send = (message: JSONRPCMessage): Promise<void> => {
    written = written.then(() => write(Buffer.from(`${JSON.stringify(message)}\n`))).catch(() => void loseReader())
    if ('id' in message && !('method' in message)) settle(message.id)
    return written
  }
  const receive = (line: Line): void => {
    const message = 'text' in line ? readMessage(line.text) : { problem: 'It is too long' }
    if ('problem' in message) {
      complain(`Ignored a line that is not a message: ${message.problem}`)
      if (message.id !== undefined) send(invalid(message.id, message.problem))
      return
    }
    if (isJSONRPCRequest(message) && message.method !== LISTEN) unanswered.add(message.id)
    // A request that was cancelled is not answered.
    if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId)
    transport.onmessage?.(message)
  }
  const readAll = async (): Promise<void> => {
    for await (const line of splitLines(input, LONGEST_LINE)) receive(line)
    hasInputEnded = true
    inputEnd.resolve()
    endIfAnswered()
  }
  const transport: LineTransport = {
    ended: ended.promise,
    start: async () => void readAll(),
    send,
    close: async () => {
      ended.resolve()
      transport.onclose?.()
    },
  }
  return transport
}

/** How long the input of a client that reads no more is read. */
const LAST_MS = 500

/** How long a client that asks nothing more may take to read the last answers. */
const UNREAD_MS = 10_000

/** It stays open for as long as the client listens. */
const LISTEN = 'subscriptions/listen'

/** More than the longest text of a task, with every character escaped. */
const LONGEST_LINE = 128 * 1024 * 1024

type Unreadable = { problem: string; id?: string | number }

function readMessage(text: string): JSONRPCMessage | Unreadable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'It is not JSON' }
  }
  try {
    return parseJSONRPCMessage(value)
  } catch {
    const { id } = (value ?? {}) as { id?: unknown }
    const isId = typeof id === 'string' || typeof id === 'number'
    return { problem: 'It is not a message of JSON-RPC 2.0', ...(isId && { id }) }
  }
}

function invalid(id: string | number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32600, message } }
}
