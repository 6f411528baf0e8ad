import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RECOVERY_STEPS, RUN_STEPS } from '../../../src/core/run/named-steps.ts'
import { aCrashScenario, expectOk, NOTHING, remains, subjects } from './crash-repo.ts'

const SIGKILLED = 137
const BEFORE_START: readonly string[] = ['leased', 'begun']
const AFTER_END: readonly string[] = ['recorded', 'noted', 'finished', 'released']

for (const step of RUN_STEPS) {
  test(`a worker killed at the step ${step} loses nothing, and the next one continues from there`, () => {
    const scenario = aCrashScenario()
    scenario.add('chore-1')
    scenario.add('chore-2')
    expect(scenario.work({ GZA_CRASH_AT: step }).code).toBe(SIGKILLED)
    const died = scenario.show(1).runs[0]
    expectOk(scenario.work())

    expect([scenario.show(1).status, scenario.show(2).status]).toEqual(['completed', 'completed'])
    expect(scenario.calls()).toEqual({ 'chore-1': step === 'working' ? 2 : 1, 'chore-2': 1 })
    expect(remains(scenario)).toEqual(NOTHING)
    const { runs, branch } = scenario.show(1)
    const ends = runs.map(({ outcome }) => outcome)
    expect(ends).toEqual(isOneRun(step) ? ['completed'] : ['interrupted', 'completed'])
    if (!BEFORE_START.includes(step)) expect(runs[0]?.run).toBe(died?.run as string)
    expect(scenario.repo.git('show', `${branch}:chore-1.txt`)).toBe('part one of chore-1\npart two of chore-1')
    expect(subjects(scenario, 1)).toEqual(
      step === 'working'
        ? ['chore-1', 'part of chore-1', 'WIP: chore-1 (interrupted)', 'part of chore-1']
        : ['chore-1', 'part of chore-1'],
    )
    const commit = scenario.repo.git('rev-parse', branch as string)
    expect(scenario.repo.git('notes', '--ref=tasks', 'show', commit)).toContain('chore-1')
    const history = scenario.repo.git('log', '--format=%s', 'refs/tasks/main').split('\n')
    expect(history.filter((line) => /^end .* complete$/.test(line)).length).toBe(2)
  })
}

function isOneRun(step: string): boolean {
  return BEFORE_START.includes(step) || AFTER_END.includes(step)
}

for (const step of RECOVERY_STEPS) {
  test(`a restart killed at the step ${step} of ending a dead run loses nothing either`, () => {
    const scenario = aCrashScenario()
    scenario.add('chore-1')
    expect(scenario.work({ GZA_CRASH_AT: 'working' }).code).toBe(SIGKILLED)
    expect(scenario.work({ GZA_CRASH_AT: step }).code).toBe(SIGKILLED)
    expect(scenario.calls()).toEqual({ 'chore-1': 1 })
    expectOk(scenario.work())
    expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
    expect(scenario.calls()).toEqual({ 'chore-1': 2 })
    expect(remains(scenario)).toEqual(NOTHING)
    expect(subjects(scenario, 1)).toContain('WIP: chore-1 (interrupted)')
  })
}

test('a run that is killed several times at its check calls the agent once', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  for (let times = 0; times < 3; times++) expect(scenario.work({ GZA_CRASH_AT: 'kept' }).code).toBe(SIGKILLED)
  expectOk(scenario.work())
  expect(scenario.calls()).toEqual({ 'chore-1': 1 })
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual([
    ...['interrupted', 'interrupted', 'interrupted'],
    'completed',
  ])
  expect(remains(scenario)).toEqual(NOTHING)
})

test('what the agent printed is not an answer to a task that was edited since', () => {
  const scenario = aCrashScenario()
  scenario.add('chore-1')
  expect(scenario.work({ GZA_CRASH_AT: 'heard' }).code).toBe(SIGKILLED)
  expectOk(scenario.repo.gza('edit', '1', '--content', 'chore-1, and more of it'))
  expectOk(scenario.work())
  expect(scenario.calls()).toEqual({ 'chore-1': 2 })
  expect(scenario.show(1).status).toBe('completed')
})

test('the steps of docs/facts.md are those of the program, in its order', () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/facts.md'), 'utf8')
  const steps = [...page.matchAll(/^\| ([a-z]+) \| .* \|$/gm)].map(([, name]) => name)
  const start = steps.indexOf('leased')
  expect(steps.slice(start, start + RUN_STEPS.length)).toEqual([...RUN_STEPS])
  const recovery = steps.indexOf('adopted')
  expect(steps.slice(recovery, recovery + RECOVERY_STEPS.length)).toEqual([...RECOVERY_STEPS])
})
