import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'
import { INITIALIZE, messagesIn, startRaw, toolCall } from './raw-server.ts'

function aQueue(): Repo {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser')
  return repo
}

test('lines that are not messages are ignored, and what follows them is answered', async () => {
  const server = startRaw(aQueue())
  server.send(
    INITIALIZE,
    'garbage',
    '{"jsonrpc":"2.0"',
    '',
    '[]',
    'null',
    '{"jsonrpc":"1.0","id":7,"method":"ping"}',
    '\0',
  )
  server.send(toolCall(1, 'next'), { id: 2, method: 'odd/method' }, toolCall(3, 'list', { status: 5 }))
  server.process.stdin?.end()
  expect(await server.ended).toBe(0)
  const answers = new Map(messagesIn(server.out()).map((message) => [message.id, message]))
  expect([...answers.keys()].toSorted()).toEqual([1, 2, 3, 7, 'first'])
  expect(answers.get(7)?.error?.code).toBe(-32600)
  expect(answers.get(1)?.result?.content[0]?.text).toContain('Write the parser')
  expect(answers.get(2)?.error?.code).toBe(-32601)
  expect(answers.get(3)?.result?.isError).toBe(true)
  expect(server.err()).toContain('Ignored a line that is not a message: It is not JSON')
})

test('two hundred calls at once are answered although the input has ended, in both eras', async () => {
  const repo = aQueue()
  const calls = Array.from({ length: 200 }, (_, at) =>
    toolCall(at, at % 2 === 0 ? 'next' : 'show', at % 2 === 0 ? {} : { ref: '1' }),
  )
  const server = startRaw(repo)
  server.send(INITIALIZE, ...calls)
  server.process.stdin?.end()
  expect(await server.ended).toBe(0)
  const modern = startRaw(repo)
  modern.send(...calls.map((call) => withEnvelope(call)))
  modern.process.stdin?.end()
  expect(await modern.ended).toBe(0)
  for (const { out } of [server, modern]) {
    const answered = messagesIn(out()).filter(({ id }) => id !== 'first')
    expect(answered.map(({ id }) => id)).toEqual(calls.map((_, at) => at))
    expect(answered.every(({ result }) => result?.content[0]?.text.includes('Write the parser'))).toBe(true)
  }
})

function withEnvelope(call: object): object {
  const { params, ...rest } = call as { params: object }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...rest, params: { ...params, _meta: meta } }
}

test('a client that sends everything before it reads anything gets every answer', async () => {
  const repo = aQueue()
  repo.run(['gza', 'add', '-'], { stdin: `Long\n\n${'words '.repeat(2000)}` })
  const server = startRaw(repo)
  server.process.stdout?.pause()
  server.send(
    INITIALIZE,
    ...Array.from({ length: 100 }, (_, at) => toolCall(at, 'show', { ref: '2', cursor: 'x'.repeat(10_000) })),
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  server.process.stdin?.end(() => resolve())
  await promise
  server.process.stdout?.resume()
  expect(await server.ended).toBe(0)
  expect(messagesIn(server.out())).toHaveLength(101)
})

test('huge arguments are refused, and the server continues', async () => {
  const server = startRaw(aQueue())
  server.send(INITIALIZE, toolCall(1, 'show', { ref: 'x'.repeat(20_000_000) }), toolCall(2, 'next'))
  server.process.stdin?.end()
  expect(await server.ended).toBe(0)
  const [, huge, next] = messagesIn(server.out())
  expect(huge?.result?.isError).toBe(true)
  expect(huge?.result?.content[0]?.text.length).toBeLessThan(2000)
  expect(next?.result?.content[0]?.text).toContain('Write the parser')
})

test('a client that is gone, closes its output, or sends a signal ends the server without an error', async () => {
  const repo = aQueue()
  const gone = startRaw(repo)
  gone.process.stdout?.destroy()
  gone.send(INITIALIZE, toolCall(1, 'next'), toolCall(2, 'next'))
  expect(await gone.ended).toBe(0)
  const silent = startRaw(repo)
  silent.process.stdin?.end()
  expect(await silent.ended).toBe(0)
  expect(silent.out()).toBe('')
  const ended = startRaw(repo)
  ended.send(INITIALIZE)
  await new Promise((resolve) => ended.process.stdout?.once('data', resolve))
  ended.process.kill('SIGTERM')
  expect(await ended.ended).toBe(0)
})

test('nothing but the protocol is written to standard output, not even for a wrong call', () => {
  const repo = aQueue()
  const wrong = repo.gza('mcp', '--json')
  expect(wrong.code).toBe(2)
  expect(JSON.parse(wrong.stdout).error.code).toBe('USAGE')
  const help = repo.gza('mcp', '--help')
  expect(help.stdout).toContain('setup claude --mcp')
})
