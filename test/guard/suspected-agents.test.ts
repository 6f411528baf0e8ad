import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { bin } from '../support/built-program.ts'
import { outputOf } from '../support/ledger-answers.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { spawnProgram } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const ACTS = {
  slow: 'touch "$beside/slow"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit slow.txt x',
  vandal: 'commit vandal.txt x; git config core.sshCommand planted',
}

test('an agent that tampers beside the run of another process is tried twice, and by the next work alone', async () => {
  const repo = anUnboxedRepo(ACTS)
  const slow = await workOnSlow(repo)
  const beside = repo.gza('work', '2')
  expect([beside.code, reasons(repo)]).toEqual([1, ['suspected', 'suspected']])
  expect([repo.task('2').status, repo.why('2')]).toEqual(['pending', 'READY'])
  repo.write('../go', '')
  expect((await slow.ended).code).toBe(0)
  expect(repo.gza('work', '2').code).toBe(1)
  expect([reasons(repo), repo.task('2').status]).toEqual([['suspected', 'suspected', 'tampered'], 'failed'])
})

test('in a copy of the repository the runs of the original are not others that may have tampered', async () => {
  const repo = anUnboxedRepo(ACTS)
  const slow = await workOnSlow(repo)
  const cwd = repo.beside('copy')
  outputOf(repo.run(['cp', '-a', repo.dir, cwd]))
  expect(repo.run(['gza', 'work', '2'], { cwd }).code).toBe(1)
  const copied = JSON.parse(outputOf(repo.run(['gza', 'show', '2', '--json'], { cwd })))
  expect(copied.runs).toMatchObject([{ reason: 'tampered' }])
  repo.write('../go', '')
  expect((await slow.ended).code).toBe(0)
})

async function workOnSlow(repo: AgentRepo) {
  repo.add('slow')
  repo.add('vandal')
  const slow = spawnProgram(repo, [bin('gza'), 'work', '1'])
  await until(() => existsSync(repo.beside('slow')), 'the other agent works')
  return slow
}

function reasons(repo: AgentRepo): (string | null)[] {
  return repo.task('2').runs.map(({ reason }) => reason)
}
