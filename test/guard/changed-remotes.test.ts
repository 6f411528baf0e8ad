import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'
import type { AgentRepo, AgentRepoOptions } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const LANDS: AgentRepoOptions = { defaults: { max_attempts: 1 }, config: { land: 'merge' } }

/** An agent that does something in the repository of all, and a remote to which its work would go. */
function aRepoWithRemote(act: string): AgentRepo {
  const repo = anUnboxedRepo({ vandal: `cd "$beside/repo"\n${act}\ncd - >/dev/null\ncommit a.txt a` }, LANDS)
  repo.git('remote', 'add', 'origin', aRepo({ bare: true }).dir)
  repo.add('vandal')
  return repo
}

const SECOND = '[remote "second"]\n\turl = https://127.0.0.1:1/second.git\n'

test.each([
  ['with git', 'git remote set-url origin https://127.0.0.1:1/evil.git', 'remote.origin.url'],
  ['in the file', `sed -i 's|url = .*|url = https://127.0.0.1:1/evil.git|' .git/config`, 'remote.origin.url'],
  ['only for pushes', 'git remote set-url --push origin https://127.0.0.1:1/evil.git', 'remote.origin.pushurl'],
])(
  'the address of a remote that changes during a run (%s) is put back, is in the inbox, and the work waits',
  (_, act, key) => {
    const repo = aRepoWithRemote(act)
    const remotes = () => repo.git('config', '--get-regexp', '^remote').split('\n').sort()
    const before = remotes()
    repo.gza('work')
    expect(remotes()).toEqual(before)
    expect(repo.task('1').status).toBe('completed')
    expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('first')
    expect(repo.gza('queue').stdout).toContain('REFS_CHANGED')
    const item = repo.inbox().find(({ code }) => code === 'SETTINGS_PUT_BACK')
    expect(item?.subject).toBe(`${key} in .git/config`)
    expect(repo.gza('sync')).toMatchObject({ code: 0, stdout: expect.stringContaining('pushed to origin') })
    // A person who did it does it again with one command.
    expect(repo.run(['sh', '-c', item?.commands[0] ?? 'false']).code).toBe(0)
    expect(repo.git('config', key)).toBe('https://127.0.0.1:1/evil.git')
  },
)

test('while the agent still runs, gza syncs with the old address', async () => {
  const repo = aRepoWithRemote(
    'git remote set-url origin https://127.0.0.1:1/evil.git; touch ../began; until [ -e ../go ]; do sleep 0.02; done',
  )
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('began')))
  const { code, stdout } = repo.gza('sync')
  writeFileSync(repo.beside('go'), '')
  await work
  expect([code, stdout]).toEqual([0, expect.stringContaining('pushed to origin')])
})

test.each([
  [
    'a new remote, to which it points the branch',
    'git remote add second https://127.0.0.1:1/second.git; git config branch.main.remote second',
    'remote second',
  ],
  [
    'one written into the file',
    `printf '${SECOND.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}[branch "main"]\\n\\tremote = second\\n' >>.git/config`,
    'remote second',
  ],
  [
    'an address in place of a remote’s name',
    'git config branch.main.remote https://127.0.0.1:1/second.git',
    'remote branch.main.remote',
  ],
])('gza exchanges nothing with %s, until a person has looked', (_, act, subject) => {
  const repo = aRepoWithRemote(act)
  repo.gza('work')
  const refused = repo.gza('sync')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('(https://127.0.0.1:1/second.git) was added while an agent ran')
  expect(refused.stderr).not.toMatch(/connect|unable to access/i)
  expect(repo.inbox()).toMatchObject([{ code: 'REMOTE_ADDED', subject }])
  expect(repo.gza('sync', 'origin').stdout).toContain('pushed to origin')
  // Now it is a person's decision.
  expect(repo.gza('resolve', subject, '--skip').code).toBe(0)
  expect(repo.gza('sync').stderr).toMatch(/Could not fetch/)
})

test('one that kills gza after it has added a remote is found by the next work', () => {
  const repo = aRepoWithRemote(
    '[ -e ../again ] || { touch ../again; git remote add second https://127.0.0.1:1/second.git; git config branch.main.remote second; kill -9 $PPID; }',
  )
  repo.gza('work')
  expect(repo.gza('sync').stderr).toContain('was added while an agent ran')
  repo.gza('work')
  expect(repo.inbox().map(({ code }) => code)).toContain('REMOTE_ADDED')
  expect(repo.gza('sync').stderr).toContain('was added while an agent ran')
})

test('a remote that a person adds during a run stays, stops no landing, and is asked about once', async () => {
  const repo = aRepoWithRemote('touch ../began; until [ -e ../go ]; do sleep 0.02; done')
  const mine = aRepo({ bare: true })
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('began')))
  repo.git('remote', 'add', 'backup', mine.dir)
  appendFileSync(join(repo.dir, '.git/config'), SECOND)
  expect(repo.gza('sync', 'backup').stdout).toContain('pushed to backup')
  writeFileSync(repo.beside('go'), '')
  expect((await work).stdout).toContain('landed on main')
  expect(repo.git('remote')).toBe('backup\norigin\nsecond')
  expect(repo.inbox().map(({ subject }) => subject)).toEqual(['remote backup', 'remote second'])
  for (const name of ['remote backup', 'remote second']) repo.gza('resolve', name, '--skip')
  repo.add('next')
  repo.gza('work')
  expect(repo.inbox()).toEqual([])
})
