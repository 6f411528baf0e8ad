import { afterAll } from 'bun:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bin } from '../support/built-program.ts'
import type { Repo } from '../support/repo.ts'

export type Era = '2025-11-25' | '2026-07-28'
export const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28']

export interface Connection {
  client: Client
  /** Calls a tool and returns what it answered. */
  call(name: string, input?: Record<string, unknown>): Promise<Answered>
  /** Ends the server's input, and waits for its end. */
  close(): Promise<void>
  pid: number
  stderr(): string
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer differs from tool to tool, and tests compare it whole
type Answered = any

const open = new Set<Connection>()

/** The official client, connected to the built executable in this repository. */
export async function connect(
  { dir, env }: Pick<Repo, 'dir' | 'env'>,
  { era = '2025-11-25', name = 'test-client' }: { era?: Era; name?: string } = {},
): Promise<Connection> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const transport = new StdioClientTransport({
    ...{ command: bin('gza'), args: ['mcp'], cwd: dir, env: Object.fromEntries(set), stderr: 'pipe' },
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const mode = era === '2025-11-25' ? ('legacy' as const) : { pin: era }
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const connection: Connection = {
    client,
    call: async (tool, input = {}) => answeredBy(await client.callTool({ name: tool, arguments: input })),
    close: async () => {
      open.delete(connection)
      await client.close()
    },
    pid: transport.pid ?? 0,
    stderr: () => stderr,
  }
  open.add(connection)
  return connection
}

function answeredBy(result: Awaited<ReturnType<Client['callTool']>>): Answered {
  const [first] = result.content
  return first?.type === 'text' ? JSON.parse(first.text) : result
}

afterAll(async () => {
  for (const connection of open) await connection.close()
})
