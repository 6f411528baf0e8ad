import { type ChildProcess, spawn } from 'node:child_process'
import { bin } from '../support/built-program.ts'
import type { Repo } from '../support/repo.ts'

/** The built server with bare pipes, for a client that behaves badly. */
export interface RawServer {
  process: ChildProcess
  send(...messages: (object | string)[]): void
  /** What it has written so far. */
  out(): string
  err(): string
  ended: Promise<number | null>
}

export function startRaw({ dir, env }: Pick<Repo, 'dir' | 'env'>, ...args: string[]): RawServer {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const child = spawn(bin('gza'), ['mcp', ...args], { cwd: dir, env: Object.fromEntries(set), stdio: 'pipe' })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.on('error', () => {})
  return {
    process: child,
    send: (...messages) => {
      for (const message of messages)
        child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    },
    out: () => out,
    err: () => err,
    ended: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  }
}

export const INITIALIZE = {
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

export function toolCall(id: number, name: string, input: object = {}): object {
  return { id, method: 'tools/call', params: { name, arguments: input } }
}

export interface Message {
  jsonrpc: string
  id: string | number
  result?: { content: { text: string }[]; isError?: boolean }
  error?: { code: number; message: string }
}

/** Every line has to be a message of the protocol. */
export function messagesIn(out: string): Message[] {
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const message: Message = JSON.parse(line)
      if (message.jsonrpc !== '2.0') throw new Error(`not a message: ${line}`)
      return message
    })
}
