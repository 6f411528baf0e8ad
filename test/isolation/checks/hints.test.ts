/** A check that passes outside and fails only in the box: what a new user is told, before any agent was started. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { anIsolatedRepo, type IsolatedRepo, LEVELS } from '../runs/isolated-repo.ts'

function aRepo(level: (typeof LEVELS)[number]): IsolatedRepo {
  const repo = anIsolatedRepo(level, {}, { config: { verify: { command: 'cat ~/.gnupg/fixture' } } })
  const fixture = join(repo.env.HOME ?? '', '.gnupg/fixture')
  mkdirSync(dirname(fixture))
  writeFileSync(fixture, 'needed\n')
  return repo
}

function foundBase(repo: IsolatedRepo): { state: string; detail: string; next: string }[] {
  const all = JSON.parse(repo.run(repo.commandLine('doctor', '--json')).stdout) as (ReturnType<typeof foundBase>[0] & {
    name: string
  })[]
  return all.flatMap(({ name, state, detail, next }) => (name === 'base' ? [{ state, detail, next }] : []))
}

for (const level of LEVELS.filter(isBox))
  test(`${level}: init and doctor name the entry of isolation.allow, until it is there`, () => {
    const repo = aRepo(level)
    expect(foundBase(repo)).toEqual([])
    const printed = outputOf(repo.run(repo.commandLine('init', '--yes')))
    expect(printed).toContain('Outside of a box they pass.')
    const [, line = ''] = /Write into \S+: (isolation: {.*})/.exec(printed) ?? []
    expect(line).toEndWith(', ~/.gnupg]}')
    expect(foundBase(repo)).toEqual([
      {
        state: 'warn',
        detail: expect.stringContaining('passes its checks outside, but fails them in a box, so no agent starts'),
        next: expect.stringContaining(`It probably needs ~/.gnupg in isolation.allow`),
      },
    ])
    writeFileSync(join(repo.env.HOME ?? '', '.config/gza/config.yaml'), `${line}\n`)
    expect(foundBase(repo)).toEqual([])
    expect(outputOf(repo.run(repo.commandLine('init', '--yes')))).toContain('✓ The checks pass on main')
  })
