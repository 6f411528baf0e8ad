import { expect } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aClientScenario, expectOk, type Shown } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Habits } from '../habits.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { COMMITS, SPENT } from './scripts.ts'

export function testWork(client: Client, habits: Habits): void {
  const { name } = client

  testRows(client, ['work'], async () => {
    const scenario = aClientScenario(client, COMMITS)
    const main = scenario.repo.git('rev-parse', 'main')
    scenario.add('Make a file')
    expectOk(await scenario.work('1'))
    const { status, branch, commits, runs } = scenario.show(1)
    const head = scenario.repo.git('rev-parse', String(branch))
    expect({ status, commits, runs: runs.map(told) }).toEqual({
      status: 'completed',
      commits: [head],
      runs: [{ agent: name, outcome: 'completed', head, cost_usd: habits.costUsd, ...SPENT }],
    })
    expect(runs[0]?.session).toMatch(/^\w[\w-]{20,}$/)
    expect(scenario.repo.git('log', '--format=%s', `main..${branch}`)).toBe('Make the file')
    expect(scenario.repo.git('rev-parse', 'main')).toBe(main)
    expectNothingLeft(scenario)
  })

  testRows(client, ['setup'], async () => {
    const scenario = aClientScenario(client, COMMITS)
    expectOk(scenario.repo.gza('setup', name, '--yes'))
    scenario.repo.commit('Set up')
    scenario.add('Make a file')
    expectOk(await scenario.work('1'))
    expect(JSON.stringify(scenario.requests())).toContain(habits.setUp)
    expectNothingLeft(scenario)
  })

  testRows(client, ['branch', 'paths'], async () => {
    const scenario = aClientScenario(client, COMMITS)
    const { repo, root } = scenario
    const outside = join(root, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'note.txt'), 'a note\n')
    repo.git('switch', '-q', '-c', 'persons-branch')
    const person = repo.commit("A person's work", { 'person.txt': 'mine\n' })
    repo.git('switch', '-q', 'main')
    scenario.play({
      turns: [
        { run: 'git branch -D persons-branch' },
        { run: `cat ${outside}/note.txt > copied.txt && /usr/bin/env cp copied.txt ${outside}/back.txt` },
        { run: 'git add copied.txt && git commit -qm "Copy the note"' },
      ],
      closing: 'The note is copied.',
    })
    scenario.add('Copy the note')
    expectOk(await scenario.work('1'))
    const { status, branch } = scenario.show(1)
    expect({ status, kept: repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/persons-branch') }).toEqual({
      status: 'completed',
      kept: person,
    })
    expect(repo.git('show', `${branch}:copied.txt`)).toBe('a note')
    expect(readFileSync(join(outside, 'back.txt'), 'utf8')).toBe('a note\n')
    expect(scenario.json('inbox')).toEqual([])
    expectNothingLeft(scenario)
  })
}

function told({ agent, outcome, head, cost_usd, tokens_in, tokens_out }: Shown['runs'][number]) {
  return { agent, outcome, head, cost_usd, tokens_in, tokens_out }
}
