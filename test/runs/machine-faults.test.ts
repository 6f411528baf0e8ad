import { expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { openLeases } from './crash-recovery/crash-repo.ts'

/** Makes a file where gza needs a folder, and returns how to repair it. */
const FAULTS: Record<string, (repo: AgentRepo) => { path: string; repair(): void }> = {
  'a state folder that is a file': (repo) => inTheWay(repo.beside('state')),
  'a folder for worktrees that cannot be made': (repo) => {
    mkdirSync(join(repo.beside('state'), 'gza'), { recursive: true })
    return inTheWay(join(repo.beside('state'), 'gza/worktrees'))
  },
  'a log that cannot be written': (repo) => {
    mkdirSync(join(repo.dir, '.gza'))
    return inTheWay(join(repo.dir, '.gza/logs'))
  },
}

for (const [name, break_] of Object.entries(FAULTS)) {
  test(`${name} stops work with its reason: no task fails, no attempt is used, and the next work continues`, () => {
    const repo = aRepoWithState()
    for (const title of ['one', 'two', 'three']) repo.add(title)
    const { path, repair } = break_(repo)
    const work = repo.gza('work', '--all', '--workers', '2')
    expect(work.code).toBe(1)
    expect(work.stderr.match(/^Error: .*/gm)).toEqual([expect.stringContaining(path)])
    expect(work.stderr).toMatch(/^ {2}\S/m)
    expect(repo.statuses()).toEqual({ one: 'pending', two: 'pending', three: 'pending' })
    expect(repo.calls()).toEqual([])
    expect(repo.inbox()).toMatchObject([
      { code: 'MACHINE_FAULT', task: null, commands: ['gza doctor', 'gza work --all'] },
    ])
    expect(repo.inbox()[0]?.detail).toContain(path)
    repair()
    expect(repo.gza('work', '--all', '--workers', '2').code).toBe(0)
    expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed' })
    const ends = ['1', '2', '3'].flatMap((ref) => repo.task(ref).runs.map(({ outcome }) => outcome))
    expect(ends.filter((outcome) => outcome === 'failed')).toEqual([])
    expect([repo.inbox(), openLeases(repo), repo.worktrees()]).toEqual([[], [], []])
  })
}

test('git tasks run stops at a fault of the machine too', () => {
  const repo = aRepoWithState()
  repo.add('one')
  appendFileSync(join(repo.dir, '.git/info/exclude'), '.gza\n')
  mkdirSync(join(repo.dir, '.gza'))
  const { path, repair } = inTheWay(join(repo.dir, '.gza/logs'))
  const run = repo.tasks('run', '--runner', repo.beside('agent'))
  expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(path)])
  expect(repo.inbox()).toMatchObject([{ code: 'MACHINE_FAULT' }])
  expect([repo.statuses(), repo.task('1').runs.filter(({ outcome }) => outcome === 'failed')]).toEqual([
    { one: 'pending' },
    [],
  ])
  repair()
  expect(repo.gza('work').code).toBe(0)
  expect(repo.inbox()).toEqual([])
})

test('a client that is not installed stops only its own tasks', () => {
  const repo = anAgentRepo({}, { config: { agents: { scripted: { command: 'no-such-client' } } } })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  expect([repo.statuses(), repo.inbox()[0]?.code]).toEqual([{ one: 'pending' }, 'NOT_STARTED'])
})

function aRepoWithState(): AgentRepo {
  const repo = anAgentRepo({})
  const { gza, tasks } = repo.withEnv({ XDG_STATE_HOME: repo.beside('state') })
  return { ...repo, gza, tasks }
}

function inTheWay(path: string) {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, '')
  return { path, repair: () => rmSync(path) }
}
