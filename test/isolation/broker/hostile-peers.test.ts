import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { frameOf } from '../../../src/engine/isolation/broker/frames.ts'
import { READY } from '../../../src/engine/isolation/broker/protocol.ts'
import { bin } from '../../support/built-program.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { startProcess } from '../../support/run-process.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { aBoxedRun, type BoxedRun } from './boxed-run.ts'

const LIMITS = { connections: 64, silentMs: 1000, idleMs: 2000, requestMs: 4000, answerMs: 2000 }

let run: BoxedRun
beforeAll(async () => {
  run = await aBoxedRun(LIMITS)
})

interface Peer {
  socket: Bun.Socket
  /** What it has got when the broker has closed the connection. */
  closed: Promise<Buffer>
}

async function connect(bytes?: Uint8Array): Promise<Peer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const got: Buffer[] = []
  const socket = await Bun.connect({
    unix: run.broker.socket,
    socket: {
      data: (_socket, chunk) => {
        got.push(Buffer.from(chunk))
      },
      close: () => resolve(Buffer.concat(got)),
      error: () => {},
    },
  })
  if (bytes !== undefined) socket.write(bytes)
  return { socket, closed: promise }
}

function request(argv: readonly string[], more: object = {}): Uint8Array {
  return frameOf({ v: 1, token: run.broker.env.GZA_BROKER_TOKEN, argv, ...more })
}

/** What the broker says after it is ready; null: it closes the connection. */
async function answerTo(bytes: Uint8Array): Promise<unknown> {
  const said = await (await connect(bytes)).closed
  const body = said.subarray(frameOf(READY).length + 4)
  return body.length === 0 ? null : JSON.parse(body.toString())
}

/** The sockets that this process, in which the broker runs, has open. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

async function isServing(): Promise<void> {
  expect(await answerTo(request(['--version']))).toEqual({ exit: 0, out: expect.stringMatching(/^gza /), err: '' })
}

const refused = (code: string) => ({ refused: expect.objectContaining({ code }) })

test('only the run’s own token is accepted', async () => {
  for (const token of ['', 'x', '0'.repeat(64), `${run.broker.env.GZA_BROKER_TOKEN}0`])
    expect(await answerTo(request(['list'], { token }))).toEqual(refused('BROKER_TOKEN'))
  expect(await run.inside(['list'], { env: { GZA_BROKER_TOKEN: 'wrong' } })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Error: The broker does not know this caller/),
  })
})

// Only root can become another user.
const AS_NOBODY =
  process.geteuid?.() === 0 ? [{ nobody: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] }] : []

test.each(AS_NOBODY)('a process of another user gets no answer, even with the token', async ({ nobody }) => {
  const call = [bin('gza'), '--version']
  expect(await startProcess(call, { cwd: '/', env: run.boxed })).toMatchObject({ code: 0 })
  const stranger = await startProcess([...nobody, ...call], { cwd: '/', env: run.boxed })
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') })
  // With this right it can enter every folder. Its user number still gives it away.
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  const mighty = await startProcess([...nobody, ...rights, ...call], { cwd: '/', env: run.boxed })
  expect(mighty).toMatchObject({ code: 1, stderr: expect.stringContaining('accepts no call of this process') })
})

test('frames that are broken are refused, and the broker continues', async () => {
  const length = (bytes: number) => Buffer.from([bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255])
  for (const bytes of [length(0), length(65_537), length(0xffff_ffff), Buffer.concat([request(['list']), length(0)])])
    expect(await answerTo(bytes)).toEqual(refused('BROKER_REQUEST'))
  for (const argv of [null, 'list', [1], ['a\0b'], Array(257).fill('x'), [['list']]])
    expect(await answerTo(request(argv as never))).toEqual(refused('BROKER_REQUEST'))
  for (const more of [{ v: 2 }, { stdin: 1 }, { width: 0 }, { width: 'x' }, { name: 'sh' }, { coloured: 1 }])
    expect(await answerTo(request(['list'], more))).toEqual(refused('BROKER_REQUEST'))
  await isServing()
})

test('whatever is sent, it is refused or closed, and nothing is left open', async () => {
  const before = openDescriptors()
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
  )
  const sent = fc.tuple(body, fc.boolean(), fc.boolean()).map(([bytes, isFramed, isCut]) => {
    const frame = Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]), bytes])
    return isFramed ? frame.subarray(0, isCut ? frame.length >> 1 : undefined) : Buffer.from(bytes)
  })
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 50, maxLength: 50 }), async (all) => {
      const answers = await Promise.all(all.map((bytes) => answerTo(bytes)))
      for (const answer of answers) if (answer !== null) expect(answer).toEqual(refused('BROKER_REQUEST'))
    }),
    { numRuns: 4 },
  )
  await isServing()
  await until(() => openDescriptors() <= before)
}, 60_000)

test('whoever sends slowly is closed, however small the pieces are', async () => {
  const { socket, closed } = await connect()
  const bytes = request(['list'])
  const began = performance.now()
  let at = 0
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), LIMITS.requestMs / 20)
  const said = await closed
  clearInterval(timer)
  expect(at).toBeLessThan(bytes.length)
  expect(performance.now() - began).toBeGreaterThan(LIMITS.requestMs - 100)
  expect(said.length).toBe(frameOf(READY).length)
})

test('whoever does not read the answer delays others only for a while', async () => {
  for (let at = 0; at < 12; at++)
    outputOf(run.repo.run(['gza', 'import', '-'], { stdin: `{"content":"${'x'.repeat(60_000)} ${at}"}\n` }))
  const peers = await Promise.all(Array.from({ length: 3 }, () => connect(request(['export']))))
  for (const { socket } of peers) socket.pause()
  await isServing()
  for (const { socket } of peers) socket.terminate()
}, 60_000)

test('a thousand connections that say nothing keep nobody from calling, and take little memory', async () => {
  const before = openDescriptors()
  const memory = process.memoryUsage().rss
  const peers: Peer[] = []
  for (let at = 0; at < 1000; at++) peers.push(await connect())
  // This process has both ends of each: its own of all, and those of the broker.
  expect(openDescriptors() - before).toBeLessThan(1000 + 2 * LIMITS.connections)
  outputOf(await run.inside(['list']))
  outputOf(await run.inside(['note', '1', 'among the silent']))
  expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024)
  await Promise.all(peers.map(({ closed }) => closed))
  await until(() => openDescriptors() <= before)
}, 60_000)

test('more calls at once than there are connections all get their answer', async () => {
  const calls = Array.from({ length: LIMITS.connections + 8 }, () => run.inside(['--version']))
  expect(new Set((await Promise.all(calls)).map(({ code, stderr }) => `${code}${stderr}`))).toEqual(new Set(['0']))
}, 60_000)

test('a caller that is killed in the middle disturbs nobody', async () => {
  const killed = Array.from({ length: 10 }, async (_, at) => {
    const spawned = spawnProgram({ dir: '/', env: run.boxed }, [bin('gza'), 'note', '1', `killed ${at}`])
    await Bun.sleep(at * 15)
    spawned.process.kill('SIGKILL')
    return spawned.ended
  })
  await Promise.all(killed)
  outputOf(await run.inside(['note', '1', 'after them']))
  expect(run.repo.task('1').notes.at(-1)).toBe('after them')
  expect(run.repo.gza('verify').code).toBe(0)
})

test('a call whose caller is gone before its turn is not made', async () => {
  const first = run.inside(['note', '1', 'in front'])
  const { socket } = await connect(request(['note', '1', 'behind']))
  const waiting = await Promise.all(Array.from({ length: 5 }, () => connect(request(['note', '1', 'never made']))))
  for (const peer of waiting) peer.socket.terminate()
  outputOf(await first)
  outputOf(await run.inside(['list']))
  socket.terminate()
  expect(run.repo.task('1').notes.filter((text) => text === 'never made').length).toBeLessThan(2)
})

test('a long answer is cut, and says so', async () => {
  for (let at = 0; at < 20; at++) {
    const stdin = `{"content":"${'"\\u0001'.replaceAll('"', '\\"').repeat(7000)} ${at}"}\n`
    outputOf(run.repo.run(['gza', 'import', '-'], { stdin }))
  }
  const { code, stdout, stderr } = await run.inside(['list', '--all', '--json'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Error: The output is longer than 1024 KB and was cut\n  Ask for less, for instance with --limit.\n',
  })
  expect(stdout.length).toBeGreaterThan(100_000)
  expect(Buffer.byteLength(stdout)).toBeLessThan(1024 * 1024)
}, 60_000)

test('after the run its socket and its folder are gone, and a call says so', async () => {
  const other = await aBoxedRun()
  outputOf(await other.inside(['note', '1', 'before the end']))
  const folder = other.broker.socket.replace(/\/[^/]*$/, '')
  expect(existsSync(folder)).toBe(true)
  await other.end()
  expect(existsSync(folder)).toBe(false)
  expect(await other.inside(['note', '1', 'after the end'])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Error: The broker of this run cannot be reached at \S+\n {2}The run has probably ended/,
    ),
  })
  expect(JSON.parse((await other.inside(['list', '--json'])).stdout).error.code).toBe('BROKER_GONE')
  expect(other.repo.statuses().Own).toBe('completed')
}, 60_000)

test('the run itself ends as if nothing had happened', async () => {
  await run.end()
  expect(run.repo.statuses().Own).toBe('completed')
  expect(run.repo.gza('verify').code).toBe(0)
})
