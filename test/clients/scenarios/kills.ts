import { expect } from 'bun:test'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { COMMITS } from './scripts.ts'

let naps = 0

export function testKills(client: Client): void {
  testRows(client, ['stopped'], async () => {
    const { scenario, nap } = napping(client)
    const working = scenario.work('1')
    await until(() => scenario.processes().includes(nap))
    expectOk(scenario.repo.gza('kill', '1'))
    await working
    expectKept(scenario)
    expectNothingLeft(scenario)
  })

  testRows(client, ['interrupted'], async () => {
    const { scenario, nap } = napping(client)
    const { repo } = scenario
    const gza = spawnProgram(repo, repo.argvOf(['gza', 'work', '1', ...scenario.agent]))
    await until(() => scenario.processes().includes(nap))
    gza.process.kill('SIGINT')
    // The first one lets the running phase finish.
    await until(() => gza.printed().includes('Ctrl-C again ends them now'))
    gza.process.kill('SIGINT')
    await gza.ended
    expectKept(scenario)
    expectNothingLeft(scenario)
  })

  testRows(client, ['killed'], async () => {
    const { scenario, nap } = napping(client)
    const { repo } = scenario
    const gza = spawnProgram(repo, repo.argvOf(['gza', 'work', '1', ...scenario.agent]))
    await until(() => scenario.processes().includes(nap))
    gza.process.kill('SIGKILL')
    await gza.ended
    // Codex ends by itself, with its commands, when nobody reads its output any more.
    await until(() => showsOrphan(scenario), 'gza ps shows exactly what still runs')
    expect(repo.gza('ps').stdout).toMatch(new RegExp(`^#1 +${client.name} +orphaned `))
    scenario.play(COMMITS)
    expectOk(await scenario.work('1'))
    const { status, runs, branch } = scenario.show(1)
    expect({ status, outcomes: runs.map(({ outcome }) => outcome), ps: scenario.json('ps') }).toEqual({
      status: 'completed',
      outcomes: ['interrupted', 'completed'],
      ps: [],
    })
    expect(repo.git('log', '--format=%s', `main..${branch}`).split('\n')).toEqual([
      'Make the file',
      'WIP: Make a file (interrupted)',
    ])
    expect(repo.git('show', `${branch}:half.txt`)).toBe('half')
    expectNothingLeft(scenario)
  })
}

function napping(client: Client): { scenario: ClientScenario; nap: string } {
  const nap = `sleep 6${naps++}.25`
  const scenario = aClientScenario(client, { turns: [{ run: `echo half > half.txt; ${nap}` }], closing: 'Done.' })
  scenario.add('Make a file')
  return { scenario, nap }
}

/** Whether `gza ps` shows the dead run with all its processes, and with no others. */
function showsOrphan(scenario: ClientScenario): boolean {
  const alive = scenario.pids().toSorted()
  const [run] = scenario.json('ps') as { number: number; orphan: { pids: number[] } | null }[]
  return run?.number === 1 && Bun.deepEquals(run.orphan?.pids.toSorted(), alive)
}

function expectKept(scenario: ClientScenario): void {
  const { status, branch, runs } = scenario.show(1)
  expect({ status, runs: runs.map(({ outcome, reason }) => ({ outcome, reason })) }).toEqual({
    status: 'pending',
    runs: [{ outcome: 'interrupted', reason: 'interrupted' }],
  })
  expect(scenario.repo.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: Make a file (interrupted)')
  expect(scenario.repo.git('show', `${branch}:half.txt`)).toBe('half')
}
