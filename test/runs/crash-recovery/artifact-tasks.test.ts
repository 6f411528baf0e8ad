import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_STEPS } from '../../../src/core/run/named-steps.ts'
import { aCrashScenario, expectOk, NOTHING, remains, WRITER } from './crash-repo.ts'

const SIGKILLED = 137
const TEXT_STEPS = RUN_STEPS.filter((step) => step !== 'kept' && step !== 'verified')

for (const step of TEXT_STEPS) {
  test(`a plan whose worker is killed at the step ${step} is written once and kept`, () => {
    const scenario = aCrashScenario(WRITER)
    scenario.add('chore-1', '--type', 'plan')
    expect(scenario.work({ GZA_CRASH_AT: step }).code).toBe(SIGKILLED)
    expectOk(scenario.work())
    expect(scenario.show(1).status).toBe('completed')
    expect(scenario.calls()).toEqual({ 'chore-1': step === 'working' ? 2 : 1 })
    expect(remains(scenario)).toEqual(NOTHING)
    const [plan] = [...new Bun.Glob('.gza/plans/*.md').scanSync({ cwd: scenario.repo.dir, dot: true })]
    expect(readFileSync(join(scenario.repo.dir, plan as string), 'utf8')).toBe('the text of chore-1\n')
    const artifacts = scenario.repo.git('ls-tree', '-r', '--name-only', 'refs/tasks/main', 'artifacts/').split('\n')
    expect(artifacts.length).toBe(1)
  })
}
