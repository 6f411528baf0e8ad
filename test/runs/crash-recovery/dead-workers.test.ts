import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { duringCheckout, FILTERED } from '../../support/during-checkout.ts'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import {
  aCrashScenario,
  expectOk,
  NOTHING,
  processesIn,
  remains,
  STUCK_AT_FIRST,
  startWorker,
  subjects,
  withDeadWorker,
} from './crash-repo.ts'

test('after a kill -9 the agent and its daemons are ended, and what it had done is kept', async () => {
  const scenario = await withDeadWorker()
  expect(processesIn(scenario.repo).filter((line) => line.startsWith('sleep 3000')).length).toBe(3)
  const { stdout } = expectOk(scenario.work())
  expect(stdout).toContain(`The run of task #1 was interrupted; its work is kept on ${scenario.show(1).branch}`)
  expect(remains(scenario)).toEqual(NOTHING)
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(scenario, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('with the store of leases lost the dead worker’s agent is found by what the ledger says', async () => {
  const scenario = await withDeadWorker()
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(scenario.repo.dir, `.git/gza/live.db${suffix}`), { force: true })
  expectOk(scenario.work())
  expect(remains(scenario)).toEqual(NOTHING)
  expect(scenario.calls()).toEqual({ 'chore-1': 2 })
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(subjects(scenario, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('a worker that is there already ends a dead one’s agent before it takes the task', async () => {
  const scenario = aCrashScenario(STUCK_AT_FIRST)
  scenario.add('chore-1')
  const dying = await startWorker(scenario)
  // It looks for dead runs when it starts, and the other is alive then.
  const agent = 'for prompt; do :; done; while ! test -e "$CALLS/../go"; do sleep 0.05; done; echo x > other.txt'
  scenario.repo.write('../waiter.sh', `#!/bin/sh\n${agent}\n`)
  scenario.repo.run(['chmod', '+x', join(scenario.repo.dir, '../waiter.sh')])
  scenario.add('chore-2')
  const config = [
    'agents:',
    '  scripted: {command: AGENT}',
    '  waiter: {command: WAITER}',
    'defaults: {agent: scripted}',
  ]
  const text = `${config.join('\n')}\n`
    .replace('AGENT', join(scenario.repo.dir, '../agent.sh'))
    .replace('WAITER', join(scenario.repo.dir, '../waiter.sh'))
  scenario.repo.write('gza.yaml', text)
  const staying = scenario.repo.start(['gza', 'work', '--all', '--agent', 'waiter'])
  await until(() => scenario.repo.gza('ps').stdout.includes('#2'), 'the second worker has its task')
  dying.process.kill('SIGKILL')
  scenario.repo.write('../go', '')
  expectOk(await staying)
  expect([scenario.show(1).status, scenario.show(2).status]).toEqual(['completed', 'completed'])
  expect(remains(scenario)).toEqual(NOTHING)
  expect(subjects(scenario, 1)).toContain('WIP: chore-1 (interrupted)')
})

test('a dead worker’s task that a person closed meanwhile stays closed, and nothing of its run is left', async () => {
  const scenario = await withDeadWorker()
  expectOk(scenario.repo.gza('done', '1'))
  expectOk(scenario.work())
  expect(scenario.show(1).status).toBe('completed')
  expect(scenario.calls()).toEqual({ 'chore-1': 1 })
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted'])
  expect(remains(scenario)).toEqual(NOTHING)
  expect(subjects(scenario, 1)).toEqual(['WIP: chore-1 (interrupted)'])
})

/** The answer to an exploration, or for any other task a file. */
const WRITES = 'file=$(echo "$prompt" | grep -o "[.]gza/explorations/[^:]*md") || file=$title.txt; save "$file" found'

for (const type of ['task', 'explore']) {
  test(`git that still lays out the worktree of a killed gza, for ${type}, is ended before the next run does`, () => {
    const agentRepo = anAgentRepo({ else: WRITES }, FILTERED)
    duringCheckout(agentRepo, `kill -9 $gza; exec ${agentRepo.beside('lurk')}`)
    agentRepo.add('one', '--type', type)
    expect(agentRepo.gza('work').code).not.toBe(0)
    expect(agentRepo.survivors()).not.toEqual([])
    agentRepo.gza('work')
    expect(agentRepo.task('1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
    expect([agentRepo.survivors(), agentRepo.worktrees()]).toEqual([[], []])
  })
}

test('for a run that died before it had a branch no message claims that anything was kept on it', () => {
  const agentRepo = anAgentRepo({})
  agentRepo.add('one')
  expect(agentRepo.withEnv({ GZA_CRASH_AT: 'started' }).gza('work').code).not.toBe(0)
  expect(agentRepo.git('branch', '--list', '--format=%(refname:short)')).toBe('main')
  expect(agentRepo.gza('work').stdout).toContain('The run of task #1 was interrupted before it had a branch\n')
  expect(agentRepo.task('1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
})
