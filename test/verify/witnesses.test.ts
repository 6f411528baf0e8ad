import { expect, test } from 'bun:test'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles } from '../support/handmade-commits.ts'
import { add, aStartedRepo, ask, contents, gza, tipOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAuditedRepo, type Report, verify } from './audited-repo.ts'

test('all witnesses are listed, those that are missing too', () => {
  const repo = aSyncedRepo()
  const tip = tipOf(repo).slice(0, 7)
  expect(repo.gza('verify')).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      'main: ok (2 commits, 2 tasks)',
      '  witness reflog: agrees, 2 earlier tips',
      `  witness remote origin: agrees, at ${tip} when last synced`,
      '  witness guard: missing, no command ran under the guard yet',
      '  witness signatures: missing, no commit is signed',
      '',
    ].join('\n'),
  })
})

test('a ledger without any witness is reported as such', () => {
  const repo = aStartedRepo()
  add(repo, 'a task')
  expect(repo.gza('verify').stdout).toContain('main: ok (1 commit, 1 task)\n  witness reflog: agrees, 1 earlier tip\n')
  expect(repo.gza('doctor').stdout).toContain('1 task, 1 change, all forward')
  expect(states(repo)).toEqual({ reflog: 'agrees', remote: 'missing', guard: 'missing', signatures: 'missing' })
})

test('a ledger that was rewound is found through the reflog', () => {
  const repo = anAuditedRepo()
  const lost = rewind(repo)
  expectWitness(repo, 'reflog', lost)
})

test('work that continued after the rewinding does not hide it', () => {
  const repo = anAuditedRepo()
  const lost = rewind(repo)
  for (let i = 0; i < 5; i++) add(repo, `more work ${i}`)
  expectWitness(repo, 'reflog', lost)
})

test('a move that git logged and was killed before it made is not taken for a lost tip', () => {
  const repo = anAuditedRepo()
  const [tip, tasks] = [tipOf(repo), contents(repo)]
  logUnmade(repo)
  for (const more of [[], ['more work']]) {
    for (const title of more) add(repo, title)
    expect(states(repo).reflog).toBe('agrees')
    expect(repo.gza('restore', '--lost').stdout).not.toContain('joined')
  }
  expect(repo.git('rev-parse', 'refs/tasks/main~1')).toBe(tip)
  expect(contents(repo)).toEqual([...tasks, 'more work'])
})

test('a tip that somebody has read is found through the reflog, also if its file alone was put back', () => {
  const repo = anAuditedRepo()
  add(repo, 'one more')
  const lost = tipOf(repo)
  writeFileSync(join(repo.dir, '.git/refs/tasks/main'), `${repo.git('rev-parse', 'refs/tasks/main~1')}\n`)
  add(repo, 'another')
  expectWitness(repo, 'reflog', lost)
})

test('with the reflog removed the remote still shows it', () => {
  const repo = aSyncedRepo()
  const lost = rewind(repo)
  removeReflog(repo)
  expectWitness(repo, 'remote origin', lost)
  expect(states(repo).reflog).toBe('missing')
})

test('with the reflog removed and no remote only the index shows it, until it has followed', () => {
  const repo = anAuditedRepo()
  const lost = tipOf(repo)
  rewind(repo)
  removeReflog(repo)
  expectWitness(repo, 'index', lost)
  expect(verify(repo).code).toBe(0)
  expect(states(repo)).toEqual({ reflog: 'missing', remote: 'missing', guard: 'missing', signatures: 'missing' })
})

test('a ledger that was swapped for a fresh history is found', () => {
  const repo = aSyncedRepo()
  const lost = tipOf(repo)
  const fresh = aStartedRepo()
  add(fresh, 'a better story')
  repo.git('fetch', '--quiet', fresh.dir, '+refs/tasks/main:refs/tasks/main')
  expectWitness(repo, 'reflog', lost)
  removeReflog(repo)
  expectWitness(repo, 'remote origin', lost)
})

test('a history rewritten from the start has its first forged commit named too', () => {
  const repo = anAuditedRepo()
  const root = repo.git('rev-list', '--max-parents=0', 'refs/tasks/main')
  const forged = commitFiles(
    repo,
    { 'tasks.jsonl': (text) => text.replace('"plain"', '"forged"') },
    { parents: [root] },
  )
  const { code, report } = verify(repo)
  expect([code, report.first_bad?.commit]).toEqual([1, forged])
  expect(report.witnesses.find(({ name }) => name === 'reflog')?.state).toBe('differs')
})

test('an object that git was told to take for another changes nothing: the ledger’s own are read', () => {
  const repo = anAuditedRepo()
  const tip = tipOf(repo)
  const forged = commitFiles(repo, { 'tasks.jsonl': (text) => text.replace('"plain"', '"forged"') })
  repo.git('update-ref', 'refs/tasks/main', tip)
  removeReflog(repo)
  repo.git('replace', tip, forged)
  rmSync(join(repo.dir, '.git/gza'), { recursive: true })
  expect(contents(repo)[0]).toBe('plain')
  expect(verify(repo).code).toBe(0)
})

test('what was fetched and not joined yet is not a witness against the ledger', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  for (const repo of [ann, ben, ann]) {
    add(repo, 'a task')
    gza(repo, 'sync')
  }
  add(ben, 'another task')
  ben.git('fetch', '--quiet', 'origin', '+refs/tasks/*:refs/gza/remotes/origin/tasks/*')
  expect(verify(ben)).toMatchObject({ code: 0, report: { ok: true } })
})

test('a remote that is behind agrees, and so does one that others moved on', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  add(ann, 'one')
  gza(ann, 'sync')
  add(ann, 'two')
  expect(states(ann)['remote origin']).toBe('agrees')
  gza(ben, 'sync')
  add(ben, 'three')
  gza(ben, 'sync')
  expect(states(ann)['remote origin']).toBe('agrees')
})

test('every remote is asked', () => {
  const repo = aSyncedRepo()
  const backup = aRepo({ bare: true })
  gza(repo, 'sync', backup.dir)
  rewind(repo)
  const differing = verify(repo).report.witnesses.filter(({ state }) => state === 'differs')
  expect(differing.map(({ name }) => name)).toEqual([
    'reflog',
    'remote origin',
    expect.stringMatching(/^remote .*repo$/),
    'index',
  ])
})

test('the ledgers of all branches are verified at once; one bad one is enough for exit code 1', () => {
  const repo = anAuditedRepo()
  add(repo, 'elsewhere', '--branch', 'other')
  add(repo, 'below', '--branch', 'feature/x')
  expect(ask<Report[]>(repo, 'verify', '--all-branches').map(({ ledger, ok }) => [ledger, ok])).toEqual([
    ['feature/x', true],
    ['main', true],
    ['other', true],
  ])
  rewind(repo)
  expect(repo.gza('verify', '--all-branches').code).toBe(1)
  expect(repo.gza('verify', '--branch', 'other').code).toBe(0)
})

test('a ledger that was deleted by hand is missed; one that never was is not', () => {
  const repo = aSyncedRepo()
  repo.git('update-ref', '-d', 'refs/tasks/main')
  expect(verify(repo).code).toBe(1)
  expect(verify(repo, '--branch', 'never').code).toBe(0)
})

test('of all branches, those are verified too whose ledger was deleted by hand', () => {
  for (const repo of [aSyncedRepo(), anAuditedRepo()]) {
    add(repo, 'elsewhere', '--branch', 'other')
    repo.git('update-ref', '-d', 'refs/tasks/main')
    const { code, stdout } = repo.gza('verify', '--all-branches', '--json')
    const reports = (JSON.parse(stdout) as Report[]).map(({ ledger, ok }) => [ledger, ok])
    expect([code, reports]).toEqual([
      1,
      [
        ['other', true],
        ['main', false],
      ],
    ])
    expect(repo.gza('doctor').stdout).toContain('fail  ledger main    it is missing, but a witness has recorded it\n')
  }
})

test('a branch that came back after its ledger was archived has nothing missing; one that was rewound has', () => {
  const repo = aSyncedRepo()
  add(repo, 'first life', '--branch', 'gone')
  gza(repo, 'guard', '--', 'true')
  gza(repo, 'sync')
  gza(repo, 'prune', '--archive-open')
  for (const content of ['second life', 'continues']) add(repo, content, '--branch', 'gone')
  gza(repo, 'guard', '--', 'true')
  expect(verify(repo, '--branch', 'gone').code).toBe(0)
  expect(repo.gza('verify', '--all-branches').code).toBe(0)
  const told = '  witness archive: warns, 1 earlier ledger of this name is archived, with nothing in common\n'
  expect(repo.gza('verify', '--branch', 'gone').stdout).toContain(told)
  repo.git('update-ref', 'refs/tasks-archive/gone#2', 'refs/tasks/gone')
  repo.git('update-ref', 'refs/tasks/gone', 'refs/tasks/gone~1')
  expect(verify(repo, '--branch', 'gone').code).toBe(1)
})

test('a ledger that was archived is not missed', () => {
  const repo = aSyncedRepo()
  add(repo, 'over', '--branch', 'gone')
  gza(repo, 'sync')
  gza(repo, 'prune', '--archive-open')
  expect(verify(repo, '--branch', 'gone').code).toBe(0)
  expect(ask<Report[]>(repo, 'verify', '--all-branches').map(({ ledger }) => ledger)).toEqual(['main'])
})

function aSyncedRepo(): Repo {
  const repo = aStartedRepo().clone()
  for (const content of ['one', 'two']) add(repo, content)
  gza(repo, 'sync')
  return repo
}

/** Sets the ledger back by one commit; the tip that is lost. */
function rewind(repo: Repo): string {
  const tip = tipOf(repo)
  repo.git('update-ref', 'refs/tasks/main', 'refs/tasks/main~1')
  return tip
}

/** Git writes the log first, then moves the ref. */
function logUnmade(repo: Repo): void {
  const tip = tipOf(repo)
  const unmade = repo.git('commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'end task-0000 complete')
  const line = `${tip} ${unmade} Test <test@example.com> ${Math.floor(Date.now() / 1000)} +0000\tgza: end task-0000\n`
  appendFileSync(join(repo.dir, '.git/logs/refs/tasks/main'), line)
}

function removeReflog(repo: Repo): void {
  rmSync(join(repo.dir, '.git/logs/refs/tasks/main'))
}

function states(repo: Repo): Record<string, string> {
  return Object.fromEntries(verify(repo).report.witnesses.map(({ name, state }) => [name, state]))
}

function expectWitness(repo: Repo, name: string, lost: string): void {
  const { code, report } = verify(repo)
  expect([code, report.ok]).toEqual([1, false])
  expect(report.witnesses.find((witness) => witness.name === name)).toEqual({
    name,
    state: 'differs',
    detail: `${lost.slice(0, 7)} was a tip of this ledger and is no longer in it`,
  })
}
