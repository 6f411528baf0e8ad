import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import { FILTERED, whileLaidOut } from '../../support/during-checkout.ts'
import { aStage } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { aFactory, expectOk, type Factory, NOTHING, processesIn, remains, subjects } from './crash-repo.ts'

/** The first call starts daemons and never ends; later ones do the work. */
const STUCK_AT_FIRST = [
  'echo "work of $TITLE" > "$TITLE.txt"',
  'if test "$(ls "$CALLS" | grep -c "^$TITLE\\.")" = 1; then',
  '  (setsid sleep 3000 >/dev/null 2>&1 &)',
  '  (setsid sh -c "setsid sleep 3000 & exit" >/dev/null 2>&1 &)',
  '  echo "and now it hangs"',
  '  sleep 3000',
  'fi',
  'echo done',
].join('\n')

test('after a kill -9 the agent and its daemons are ended, and what it had done is kept', async () => {
  const factory = await withDeadWorker()
  expect(processesIn(factory.repo).filter((line) => line.startsWith('sleep 3000')).length).toBe(3)
  const { stdout } = expectOk(factory.work())
  expect(stdout).toContain(`The run of task #1 had died; its work is kept on ${factory.show(1).branch}`)
  expect(remains(factory)).toEqual(NOTHING)
  expect(factory.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(factory, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('with the store of leases lost the dead worker’s agent is found by what the ledger says', async () => {
  const factory = await withDeadWorker()
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(factory.repo.dir, `.git/gza/live.db${suffix}`), { force: true })
  expectOk(factory.work())
  expect(remains(factory)).toEqual(NOTHING)
  expect(factory.calls()).toEqual({ 'chore-1': 2 })
  expect(factory.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(factory, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('a worker that is there already ends a dead one’s agent before it takes the task', async () => {
  const factory = aFactory(STUCK_AT_FIRST)
  factory.add('chore-1')
  const dying = await startWorker(factory)
  // It looks for dead runs when it starts, and the other is alive then.
  const agent = 'for prompt; do :; done; while ! test -e "$CALLS/../go"; do sleep 0.05; done; echo x > other.txt'
  factory.repo.write('../waiter.sh', `#!/bin/sh\n${agent}\n`)
  factory.repo.run(['chmod', '+x', join(factory.repo.dir, '../waiter.sh')])
  factory.add('chore-2')
  const config = [
    'agents:',
    '  scripted: {command: AGENT}',
    '  waiter: {command: WAITER}',
    'defaults: {agent: scripted}',
  ]
  const text = `${config.join('\n')}\n`
    .replace('AGENT', join(factory.repo.dir, '../agent.sh'))
    .replace('WAITER', join(factory.repo.dir, '../waiter.sh'))
  factory.repo.write('gza.yaml', text)
  const staying = factory.repo.start(['gza', 'work', '--all', '--agent', 'waiter'])
  await until(() => factory.repo.gza('ps').stdout.includes('#2'), 'the second worker has its task')
  dying.kill('SIGKILL')
  factory.repo.write('../go', '')
  expectOk(await staying)
  expect([factory.show(1).status, factory.show(2).status]).toEqual(['completed', 'completed'])
  expect(remains(factory)).toEqual(NOTHING)
  expect(subjects(factory, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('a dead worker’s task that a person closed meanwhile stays closed, and nothing of its run is left', async () => {
  const factory = await withDeadWorker()
  expectOk(factory.repo.gza('done', '1'))
  expectOk(factory.work())
  expect(factory.show(1).status).toBe('completed')
  expect(factory.calls()).toEqual({ 'chore-1': 1 })
  expect(factory.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted'])
  expect(remains(factory)).toEqual(NOTHING)
  expect(subjects(factory, 1)).toEqual(['WIP: chore-1 (interrupted)'])
})

async function withDeadWorker(): Promise<Factory> {
  const factory = aFactory(STUCK_AT_FIRST)
  factory.add('chore-1')
  const worker = await startWorker(factory)
  worker.kill('SIGKILL')
  await new Promise((resolve) => worker.once('close', resolve))
  return factory
}

async function startWorker({ repo }: Factory) {
  const env = Object.fromEntries(Object.entries(repo.env).filter(([, value]) => value !== undefined))
  const worker = spawn(bin('gza'), ['work', '--all'], {
    cwd: repo.dir,
    env: env as Record<string, string>,
    stdio: 'ignore',
  })
  await until(() => processesIn(repo).filter((line) => line.startsWith('sleep 3000')).length === 3, 'its agent works')
  return worker
}

/** The answer to an exploration, or for any other task a file. */
const WRITES = 'file=$(echo "$prompt" | grep -o "[.]gza/explorations/[^:]*md") || file=$title.txt; save "$file" found'

for (const type of ['task', 'explore']) {
  test(`git that still lays out the work tree of a killed gza, for ${type}, is ended before the next run does`, () => {
    const stage = aStage({ else: WRITES }, FILTERED)
    whileLaidOut(stage, `kill -9 $gza; exec ${stage.beside('lurk')}`)
    stage.add('one', '--type', type)
    expect(stage.gza('work').code).not.toBe(0)
    expect(stage.survivors()).not.toEqual([])
    stage.gza('work')
    expect(stage.task('1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
    expect([stage.survivors(), stage.worktrees()]).toEqual([[], []])
  })
}

test('a run that died before it had a branch is not said to have kept anything on it', () => {
  const stage = aStage({})
  stage.add('one')
  expect(stage.withEnv({ GZA_CRASH_AT: 'started' }).gza('work').code).not.toBe(0)
  expect(stage.git('branch', '--list', '--format=%(refname:short)')).toBe('main')
  expect(stage.gza('work').stdout).toContain('The run of task #1 had died before it had a branch\n')
  expect(stage.task('1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
})
