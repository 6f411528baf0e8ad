import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { processStartTime } from '../../../src/platform/processes/process-identity.ts'
import { takeLease } from '../../../src/state/live/leases.ts'
import { openLive } from '../../../src/state/live/open-live.ts'
import { until } from '../../support/until.ts'
import { aFactory, expectOk, type Factory, NOTHING, processesIn, remains, subjects } from './crash-repo.ts'

/** Does half, waits for a file, does the rest. */
const WAITING = [
  'echo "half of $TITLE" > "$TITLE.txt"',
  'echo half',
  'while ! test -e "$CALLS/../go"; do sleep 0.05; done',
  'echo "the rest" >> "$TITLE.txt"',
  'echo done',
].join('\n')

test('a run that another machine began is taken over only when asked, and is over for every machine then', () => {
  const factory = aFactory()
  factory.add('chore-1')
  beginElsewhere(factory)
  expect(expectOk(factory.work()).stdout).not.toContain('chore-1')
  const refused = factory.repo.gza('work', '1')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Error: Task #1 is in progress on far-away\n  gza work 1 --take-over\n',
  ])
  expectOk(factory.repo.gza('work', '1', '--take-over'))
  const { status, runs } = factory.show(1)
  expect(status).toBe('completed')
  expect(runs.map(({ run, outcome }) => [run === 'far-run', outcome])).toEqual([
    [true, 'interrupted'],
    [false, 'completed'],
  ])
  expect(remains(factory)).toEqual(NOTHING)
})

test('a lease whose pid another process has by now is no lease', () => {
  const factory = aFactory()
  factory.add('chore-1')
  lease(factory, { pid: process.pid, start_time: 'long ago', expires_at: null })
  expectOk(factory.work())
  expect(factory.show(1).status).toBe('completed')
  expect(remains(factory)).toEqual(NOTHING)
})

test('a lease of a process that is there keeps others away', () => {
  const factory = aFactory()
  factory.add('chore-1')
  lease(factory, { pid: process.pid, start_time: processStartTime(process.pid), expires_at: null })
  expectOk(factory.work())
  expect([factory.show(1).status, factory.calls()]).toEqual(['in_progress', {}])
  expect(factory.repo.gza('work', '1').stderr).toStartWith('Error: Task #1 is in progress\n')
})

test('a claim that expired gives the task free, and ends no process of its holder', async () => {
  const factory = aFactory()
  factory.add('chore-1')
  const { run } = claim(factory, '1', '--next')
  factory.repo.run(['mkfifo', '../pipe'])
  const bystander = factory.repo.start(['cat', '../pipe'], { env: { GZA_RUN: run } })
  expire(factory)
  expect(expectOk(factory.work()).stdout).toContain('The claim of Test on task #1 is over')
  expect(factory.show(1).status).toBe('completed')
  expect(processesIn(factory.repo)).toEqual(['cat ../pipe'])
  factory.repo.write('../pipe', '')
  expect((await bystander).code).toBe(0)
  expect(remains(factory)).toEqual(NOTHING)
})

test('a holder whose claim was taken over cannot close the task; the new holder can', () => {
  const factory = aFactory()
  factory.add('chore-1')
  const { run: old } = claim(factory, '1')
  const { run } = claim(factory, '1', '--take-over')
  const refused = factory.repo.withEnv({ GZA_RUN: old }).gza('done', '1', '--json')
  expect([refused.code, JSON.parse(refused.stdout.trim().split('\n').at(-1) as string).error.code]).toEqual([
    1,
    'LEASE_LOST',
  ])
  expect(factory.show(1).status).toBe('in_progress')
  expect(factory.repo.withEnv({ GZA_RUN: old }).gza('release', '1').code).toBe(1)
  expectOk(factory.repo.withEnv({ GZA_RUN: run }).gza('done', '1'))
  expect(factory.show(1).status).toBe('completed')
})

test('a worker whose task was claimed by take-over stops, cannot close it, and leaves its work on the branch', async () => {
  const factory = aFactory(WAITING)
  factory.add('chore-1')
  const working = factory.repo.start(['gza', 'work', '--all'])
  await until(() => Object.keys(factory.calls()).length > 0 && halfIsThere(factory), 'the agent has done half')
  claim(factory, '1', '--take-over')
  const { stdout } = await working
  expect(stdout).toContain('Task #1 was taken over by another worker')
  const { status, runs, branch } = factory.show(1)
  expect(status).toBe('in_progress')
  expect(runs.map(({ outcome }) => outcome ?? 'open')).toEqual(['interrupted', 'open'])
  expect(factory.repo.git('show', `${branch}:chore-1.txt`)).toBe('half of chore-1')
  expect(processesIn(factory.repo)).toEqual([])
  expect(factory.calls()).toEqual({ 'chore-1': 1 })
})

test('a worker that takes a task over from another goes on with its work, alone', async () => {
  const factory = aFactory(WAITING)
  factory.add('chore-1')
  const first = factory.repo.start(['gza', 'work', '--all'])
  await until(() => Object.keys(factory.calls()).length > 0 && halfIsThere(factory), 'the agent has done half')
  const second = factory.repo.start(['gza', 'work', '1', '--take-over'])
  expect((await first).stdout).toContain('Task #1 was taken over by another worker')
  await until(() => factory.calls()['chore-1'] === 2, 'the second agent works')
  factory.repo.write('../go', '')
  expectOk(await second)
  expect(factory.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(factory, 1)).toEqual(['chore-1', 'WIP: chore-1 (interrupted)'])
  expect(remains(factory)).toEqual(NOTHING)
})

function halfIsThere({ repo, show }: Factory): boolean {
  const [, place] = repo.git('worktree', 'list', '--porcelain').match(/worktree (.*chore-1)$/m) ?? []
  return place !== undefined && existsSync(join(place, 'chore-1.txt')) && show(1).branch !== null
}

function claim({ repo }: Factory, ...args: string[]): { run: string } {
  return JSON.parse(expectOk(repo.gza('claim', ...args.filter((arg) => arg !== '--next'), '--json')).stdout)
}

function beginElsewhere({ repo }: Factory): void {
  const task = JSON.parse(repo.gza('export').stdout.trim())
  const run = { run: 'far-run', attempt: 1, machine: 'far-away', started_at: '2026-01-29T10:00:00Z' }
  const file = repo.write('../runs.jsonl', `${JSON.stringify({ ...task, runs: [run] })}\n`)
  expectOk(repo.gza('import', file))
}

function expire({ repo }: Factory): void {
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  live.run("UPDATE leases SET expires_at = '2026-01-01T00:00:00Z'")
  live.close()
}

type Holder = { pid: number; start_time: string | null; expires_at: string | null }

function lease({ repo, show }: Factory, holder: Holder): void {
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  const place = { ledger: 'main', holder: 'test', head: null, branch: null, path: null }
  const now = new Date().toISOString()
  const machine = expectOk(repo.run(['hostname'])).stdout.trim()
  takeLease(live, { uid: show(1).uid, run: 'r1', machine, taken_at: now, ...place, ...holder }, { now })
  live.close()
}
