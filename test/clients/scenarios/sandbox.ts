import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import { strongestPair } from '../pairs.ts'
import { expectNothingLeft } from './nothing-left.ts'

/** As a person configures codex who wants its own sandbox for work too. Without the network, it reaches no broker. */
const CONFIG = `agents:
  sandboxed: {command: codex exec --json -s workspace-write -c sandbox_workspace_write.network_access=true}
defaults: {max_attempts: 1}
`

/** Its sandbox refuses what the box around it allows, so it is on. */
export function testSandbox(client: Client): void {
  const { pair = strongestPair() } = client
  testRows(client, ['sandbox'], async () => {
    const scenario = aClientScenario(client, { turns: [], closing: '' }, CONFIG)
    const { repo, root } = scenario
    const outside = join(root, 'outside.txt')
    scenario.play({
      turns: [
        { run: `echo made > made.txt; echo x > ${outside}` },
        { run: 'git log --oneline > log.txt; git tasks note 1 "Made inside of two boxes."' },
      ],
      closing: 'The file is made.',
    })
    scenario.add('Make a file')
    expectOk(await repo.start(['gza', 'work', '1', '--agent', 'sandboxed']))
    const { status, branch, runs, notes } = scenario.show(1)
    expect({ status, isolation: runs[0]?.isolation, outside: existsSync(outside), notes }).toEqual({
      status: 'completed',
      isolation: pair.level,
      outside: false,
      notes: ['Made inside of two boxes.'],
    })
    expect(repo.git('show', `${branch}:made.txt`)).toBe('made')
    expect(repo.git('show', `${branch}:log.txt`)).toContain('start')
    await expectReads(scenario)
    expectNothingLeft(scenario)
  })
}

/** gza turns the sandbox on for a reviewer. What its commands print reaches the model. */
async function expectReads({ add, play, work, show, requests }: ClientScenario): Promise<void> {
  add('Review it', '--type', 'review', '--based-on', '1')
  play({ turns: [{ run: 'tr a-z A-Z < made.txt' }], closing: 'It is as it should be.\n\n**Verdict: APPROVED**' })
  expectOk(await work('2'))
  expect(show(2).runs).toMatchObject([{ outcome: 'completed', verdict: 'APPROVED' }])
  expect(requests().at(-1)).toContain('MADE')
}
