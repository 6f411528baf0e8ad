import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeBrokerFolder, removeDeadBrokers } from '../../../src/engine/isolation/broker/broker-folder.ts'
import { openBroker } from '../../../src/engine/isolation/broker/open-broker.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { bin } from '../../support/built-program.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { aRepo } from '../../support/repo.ts'
import { processesWith } from '../../support/running-processes.ts'
import { spawnGza, spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { aBoxedRun, agentOf, aWaitingRepo } from './boxed-run.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('only the person can enter the folder and use the socket', async () => {
  const run = await aBoxedRun()
  const { socket } = run.broker
  expect([modeOf(socket), modeOf(dirname(socket)), modeOf(dirname(dirname(socket)))]).toEqual(['600', '700', '700'])
  await run.end()
  expect(readdirSync(dirname(dirname(socket)))).toEqual([])
})

test('an agent that works in the person’s own tree decides nothing by its files there', async () => {
  const run = await aBoxedRun()
  const { repo, agent } = run
  const place = { repo: findRepo(repo.dir, repo.env), cwd: repo.dir, binary: bin('gza'), env: agent.env }
  const own = await openBroker(place)
  const before = await run.inside(['why', '2'], { env: own.env })
  expect(before).toMatchObject({ code: 0, stderr: '' })
  repo.write('gza.yaml', 'secret_of_a_link: [\n')
  expect(await run.inside(['why', '2'], { env: own.env })).toEqual(before)
  repo.git('checkout', '--', 'gza.yaml')
  await own.close()
  await run.end()
})

test('where the path of the state folder is too long, the socket is in a short place', () => {
  const { dir } = aRepo()
  const long = join(dir, 'x'.repeat(100))
  const { path, socket } = makeBrokerFolder({ XDG_STATE_HOME: long })
  try {
    expect(socket).toMatch(/^\/tmp\/gza-brokers-\d+\//)
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103)
    expect([modeOf(path), modeOf(dirname(path))]).toEqual(['700', '700'])
    expect(existsSync(long)).toBe(false)
    // Its process lives.
    removeDeadBrokers({ XDG_STATE_HOME: long })
    expect(existsSync(path)).toBe(true)
  } finally {
    rmSync(path, { recursive: true })
  }
})

test('a longest possible path is used as it is', () => {
  const { dir } = aRepo()
  const shortest = makeBrokerFolder({ XDG_STATE_HOME: dir })
  const spare = 103 - Buffer.byteLength(shortest.socket) - 1
  const fitting = makeBrokerFolder({ XDG_STATE_HOME: join(dir, 'x'.repeat(spare)) })
  expect(fitting.socket.startsWith(dir)).toBe(true)
  expect(Buffer.byteLength(fitting.socket)).toBe(103)
  const server = Bun.listen({ unix: fitting.socket, socket: { data() {} } })
  server.stop(true)
})

test('after kill -9 of gza the next command that recovers removes the socket and its folder', async () => {
  const repo = aWaitingRepo()
  repo.add('Own')
  const work = spawnGza(repo, 'work', '1')
  const agent = await agentOf(repo, work)
  const program = spawnProgram({ dir: repo.dir, env: agent.env }, [
    ...[process.execPath, join(import.meta.dir, 'broker-program.ts'), repo.dir, agent.cwd, bin('gza')],
  ])
  const { GZA_BROKER: socket, GZA_BROKER_TOKEN } = JSON.parse(
    await until(() => /^\{.*\}$/m.exec(program.printed())?.[0]),
  )
  const env = { PATH: process.env.PATH, GZA_BROKER: socket, GZA_BROKER_TOKEN }
  outputOf(await repo.start(['gza', 'note', '1', 'through the program'], { env }))
  const other = join(dirname(dirname(socket)), 'somebody-else')
  mkdirSync(other)
  program.process.kill('SIGKILL')
  work.process.kill('SIGKILL')
  await Promise.all([program.ended, work.ended])
  expect(existsSync(socket)).toBe(true)
  writeFileSync(repo.beside('go'), '')
  outputOf(repo.gza('work', '1'))
  expect(existsSync(dirname(socket))).toBe(false)
  // What no broker has made stays.
  expect(existsSync(other)).toBe(true)
  expect(processesWith(`GZA_BROKER=${socket}`)).toEqual([])
  expect(repo.task('1').notes).toEqual(['through the program'])
}, 90_000)
