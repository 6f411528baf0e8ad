import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { processStartTime } from '../../../src/platform/processes/process-identity.ts'
import { takeLease } from '../../../src/state/live/leases.ts'
import { openLive } from '../../../src/state/live/open-live.ts'
import { until } from '../../support/until.ts'
import { aCrashScenario, type CrashScenario, expectOk, NOTHING, processesIn, remains, subjects } from './crash-repo.ts'

/** Does half, waits for a file, does the rest. */
const WAITING = [
  'echo "half of $TITLE" > "$TITLE.txt"',
  'echo half',
  'while ! test -e "$CALLS/../go"; do sleep 0.05; done',
  'echo "the rest" >> "$TITLE.txt"',
  'echo done',
].join('\n')

test('a run that another machine began is taken over only when asked, and is over for every machine then', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  beginElsewhere(scenario)
  expect(expectOk(scenario.work()).stdout).not.toContain('chore-1')
  const refused = scenario.repo.gza('work', '1')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Error: Task #1 is in progress on far-away\n  gza work 1 --take-over\n',
  ])
  expectOk(scenario.repo.gza('work', '1', '--take-over'))
  const { status, runs } = scenario.show(1)
  expect(status).toBe('completed')
  expect(runs.map(({ run, outcome }) => [run === 'far-run', outcome])).toEqual([
    [true, 'interrupted'],
    [false, 'completed'],
  ])
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a lease whose pid another process has by now does not count', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  lease(scenario, { pid: process.pid, start_time: 'long ago', expires_at: null })
  expectOk(scenario.work())
  expect(scenario.show(1).status).toBe('completed')
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a lease of a process that is there keeps others away', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  // Not this process: gza would take whatever a supervisor starts for its agent.
  const sleeper = Bun.spawn(['sleep', '600'])
  const { pid } = sleeper
  lease(scenario, { pid, start_time: processStartTime(pid), expires_at: null })
  expectOk(scenario.work())
  expect([scenario.show(1).status, scenario.calls()]).toEqual(['in_progress', {}])
  expect(scenario.repo.gza('work', '1').stderr).toStartWith('Error: Task #1 is in progress\n')
  sleeper.kill()
})

test('a claim that expired releases the task, and ends no process of its holder', async () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  const { run } = claim(scenario, '1', '--next')
  scenario.repo.run(['mkfifo', '../pipe'])
  const bystander = scenario.repo.start(['cat', '../pipe'], { env: { GZA_RUN: run } })
  expire(scenario)
  expect(expectOk(scenario.work()).stdout).toContain('The claim of Test on task #1 has ended')
  expect(scenario.show(1).status).toBe('completed')
  expect(processesIn(scenario.repo)).toEqual(['cat ../pipe'])
  scenario.repo.write('../pipe', '')
  expect((await bystander).code).toBe(0)
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a holder whose claim was taken over cannot close the task; the new holder can', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  const { run: old } = claim(scenario, '1')
  const { run } = claim(scenario, '1', '--take-over')
  const refused = scenario.repo.withEnv({ GZA_RUN: old }).gza('done', '1', '--json')
  expect([refused.code, JSON.parse(refused.stdout.trim().split('\n').at(-1) as string).error.code]).toEqual([
    1,
    'LEASE_LOST',
  ])
  expect(scenario.show(1).status).toBe('in_progress')
  expect(scenario.repo.withEnv({ GZA_RUN: old }).gza('release', '1').code).toBe(1)
  expectOk(scenario.repo.withEnv({ GZA_RUN: run }).gza('done', '1'))
  expect(scenario.show(1).status).toBe('completed')
})

test('a worker whose task was claimed by take-over stops, cannot close it, and leaves its work on the branch', async () => {
  const scenario = aCrashScenario(WAITING)
  scenario.add('chore-1')
  const working = scenario.repo.start(['gza', 'work', '--all'])
  await until(() => Object.keys(scenario.calls()).length > 0 && halfIsThere(scenario), 'the agent has done half')
  claim(scenario, '1', '--take-over')
  const { stdout } = await working
  expect(stdout).toContain('Task #1 was taken over by another worker')
  const { status, runs, branch } = scenario.show(1)
  expect(status).toBe('in_progress')
  expect(runs.map(({ outcome }) => outcome ?? 'open')).toEqual(['interrupted', 'open'])
  expect(scenario.repo.git('show', `${branch}:chore-1.txt`)).toBe('half of chore-1')
  expect(processesIn(scenario.repo)).toEqual([])
  expect(scenario.calls()).toEqual({ 'chore-1': 1 })
})

test('a worker that takes a task over from another continues its work, alone', async () => {
  const scenario = aCrashScenario(WAITING)
  scenario.add('chore-1')
  const first = scenario.repo.start(['gza', 'work', '--all'])
  await until(() => Object.keys(scenario.calls()).length > 0 && halfIsThere(scenario), 'the agent has done half')
  const second = scenario.repo.start(['gza', 'work', '1', '--take-over'])
  expect((await first).stdout).toContain('Task #1 was taken over by another worker')
  await until(() => scenario.calls()['chore-1'] === 2, 'the second agent works')
  scenario.repo.write('../go', '')
  expectOk(await second)
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(scenario, 1)).toEqual(['chore-1', 'WIP: chore-1 (interrupted)'])
  expect(remains(scenario)).toEqual(NOTHING)
})

function halfIsThere({ repo, show }: CrashScenario): boolean {
  const [, place] = repo.git('worktree', 'list', '--porcelain').match(/worktree (.*chore-1)$/m) ?? []
  return place !== undefined && existsSync(join(place, 'chore-1.txt')) && show(1).branch !== null
}

function claim({ repo }: CrashScenario, ...args: string[]): { run: string } {
  return JSON.parse(expectOk(repo.gza('claim', ...args.filter((arg) => arg !== '--next'), '--json')).stdout)
}

function beginElsewhere({ repo }: CrashScenario): void {
  const task = JSON.parse(repo.gza('export').stdout.trim())
  const run = { run: 'far-run', attempt: 1, machine: 'far-away', started_at: '2026-01-29T10:00:00Z' }
  const file = repo.write('../runs.jsonl', `${JSON.stringify({ ...task, runs: [run] })}\n`)
  expectOk(repo.gza('import', file))
}

function expire({ repo }: CrashScenario): void {
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  live.run("UPDATE leases SET expires_at = '2026-01-01T00:00:00Z'")
  live.close()
}

type Holder = { pid: number; start_time: string | null; expires_at: string | null }

function lease({ repo, show }: CrashScenario, holder: Holder): void {
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  const place = { ledger: 'main', holder: 'test', head: null, branch: null, path: null }
  const now = new Date().toISOString()
  const machine = expectOk(repo.run(['hostname'])).stdout.trim()
  takeLease(live, { uid: show(1).uid, run: 'r1', machine, taken_at: now, ...place, ...holder }, { now })
  live.close()
}
