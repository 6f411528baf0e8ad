/** People commit on the branches of runs. Nothing of theirs is undone, and what lands was checked with it. */
import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import type { AgentRepo, AgentRepoOptions } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const wait = (name: string) => `touch "$beside/here"; until [ -e "$beside/${name}" ]; do sleep 0.02; done`
const COUNTS = 'n=$(cat "$GZA_TEST_BESIDE/checks" 2>/dev/null || echo 0); echo $((n + 1)) >"$GZA_TEST_BESIDE/checks"'

function aRepoWith(acts: Record<string, string>, config: Record<string, unknown> = {}): AgentRepo {
  const options: AgentRepoOptions = {
    defaults: { max_attempts: 1 },
    config: { land: 'cherry-pick', verify: { command: 'true' }, ...config },
  }
  const repo = anUnboxedRepo(acts, options)
  return { ...repo, ...repo.withEnv({ GZA_TEST_BESIDE: repo.beside('.') }) }
}

/** What a person does while the agent of the first task, or its check, waits for `go`. */
async function meanwhile(repo: AgentRepo, act: (branch: string, worktree: string) => void): Promise<void> {
  const work = repo.start(['gza', 'work', '1'])
  await until(() => existsSync(repo.beside('here')))
  const [worktree = ''] = repo.worktrees()
  act(repo.git('-C', worktree, 'branch', '--show-current'), worktree)
  writeFileSync(repo.beside('go'), '')
  await work
}

const filesOf = (repo: AgentRepo) => repo.git('ls-tree', '--name-only', 'main').split('\n')
const THEIRS = ['README.md', 'a.txt', 'b.txt', 'gza.yaml', 'p.txt']

function commitIn(repo: AgentRepo, path: string, file = 'p.txt'): void {
  writeFileSync(`${path}/${file}`, 'by a person\n')
  repo.git('-C', path, 'add', file)
  repo.git('-C', path, 'commit', '-q', '-m', 'personal', '--', file)
}

function expectQuiet(repo: AgentRepo): void {
  expect(repo.inbox()).toEqual([])
  expect(repo.task('1').notes.filter((note) => !/checkout moved|changed outside/.test(note))).toEqual([])
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [{ outcome: 'completed' }] })
}

const WORKS = `commit a.txt a; ${wait('go')}; commit b.txt b`
const ELSEWHERE: [string, (repo: AgentRepo, branch: string) => void][] = [
  [
    'checks it out elsewhere',
    (repo, branch) => {
      repo.git('switch', '-q', '--ignore-other-worktrees', branch)
      commitIn(repo, repo.dir)
      repo.git('switch', '-q', 'main')
    },
  ],
  [
    'fast-forwards it',
    (repo, branch) => {
      repo.git('switch', '-q', '-c', 'mine', branch)
      commitIn(repo, repo.dir)
      repo.git('switch', '-q', 'main')
      repo.git('update-ref', `refs/heads/${branch}`, 'mine')
    },
  ],
]

test('a person who commits in the worktree of a running task is not mentioned, and the commit lands', async () => {
  const repo = aRepoWith({ task: WORKS })
  repo.add('task')
  await meanwhile(repo, (_, worktree) => commitIn(repo, worktree))
  expectQuiet(repo)
  expect(filesOf(repo)).toEqual(THEIRS)
})

for (const [how, act] of ELSEWHERE) {
  const ENDS = [
    ['commits all it has', `commit a.txt a; ${wait('go')}; save b.txt b; git add --all; git commit -qm b`],
    ['commits only its file', WORKS],
    ['leaves its file uncommitted', `commit a.txt a; ${wait('go')}; save b.txt b`],
  ] as const
  for (const [end, agent] of ENDS) {
    test(`a person who ${how} loses nothing, though the agent knows nothing of it and ${end}`, async () => {
      const repo = aRepoWith({ task: agent })
      repo.add('task')
      await meanwhile(repo, (branch) => act(repo, branch))
      expectQuiet(repo)
      expect(filesOf(repo)).toEqual(THEIRS)
      expect(repo.git('show', 'main:p.txt')).toBe('by a person')
    })
  }
}

test('if the agent has changed the same file, the person is told, and only that run waits', async () => {
  const repo = aRepoWith({ task: `commit p.txt a; ${wait('go')}; commit p.txt b` })
  repo.add('task')
  await meanwhile(repo, (branch) => ELSEWHERE[0]?.[1](repo, branch))
  const [changed, waiting, ...more] = repo.inbox()
  expect([changed?.code, waiting?.code, more.length]).toEqual(['REF_CHANGED', 'REFS_CHANGED', 0])
  expect(changed?.detail).toContain('was moved in another checkout')
  expect(repo.run(['sh', '-c', changed?.commands[0] ?? 'false']).stdout).toContain('-by a person')
})

test('a commit that arrives during the check is checked too, and does not fail the run', async () => {
  // Not on the base.
  const check = `[ -e a.txt ] || exit 0; ${COUNTS}; [ "$(cat "$GZA_TEST_BESIDE/checks")" != 1 ] || { touch "$GZA_TEST_BESIDE/here"; until [ -e "$GZA_TEST_BESIDE/go" ]; do sleep 0.02; done; }`
  const repo = aRepoWith({ task: 'commit a.txt a' }, { land: 'branch', verify: { command: check } })
  repo.add('task')
  await meanwhile(repo, (_, worktree) => commitIn(repo, worktree))
  const { branch, runs } = repo.task('1')
  expect(runs).toMatchObject([{ outcome: 'completed', head: repo.git('rev-parse', branch ?? '') }])
  expect(repo.git('ls-tree', '--name-only', branch ?? '')).toContain('p.txt')
  expect(repo.run(['cat', repo.beside('checks')]).stdout).toBe('2\n')
})

test('a commit on a finished branch is checked by the task’s own tests before it lands', () => {
  const repo = aRepoWith(
    { task: 'save t.sh "test ! -e p.txt"; commit a.txt a; git add t.sh; git commit -qm t' },
    { land: 'branch', verify: { test_command: 'sh' } },
  )
  repo.add('task', '--test-files', 't.sh')
  repo.gza('work', '1')
  const branch = repo.task('1').branch ?? ''
  repo.git('switch', '-q', branch)
  commitIn(repo, repo.dir)
  repo.git('switch', '-q', 'main')
  expect(repo.gza('merge', '1').code).toBe(1)
  expect(repo.task('1').landings).toMatchObject([{ outcome: 'red', head: repo.git('rev-parse', branch) }])
  expect(filesOf(repo)).toEqual(['README.md', 'gza.yaml'])
})

test('commits on the branches of a waiting and of a failed task stay while others run, and land with them', () => {
  const repo = aRepoWith(
    {
      waiting: 'commit .mcp.json w',
      failed: '[ -e "$beside/again" ] && commit b.txt b || { commit a.txt a; touch "$beside/again"; exit 3; }',
      slow: `touch "$beside/slow"; until [ -e "$beside/go" ]; do sleep 0.02; done; commit c.txt c`,
    },
    { land: 'merge' },
  )
  for (const title of ['waiting', 'failed', 'slow']) repo.add(title)
  repo.gza('work', '1')
  repo.gza('work', '2')
  const [waiting = '', failed = ''] = ['1', '2'].map((number) => repo.task(number).branch ?? '')
  const person = [
    ...[
      [waiting, 'p.txt'],
      [failed, 'q.txt'],
    ].map(
      ([branch, file]) => `git switch -q ${branch} && echo mine >${file} && git add ${file} && git commit -qm personal`,
    ),
    `git switch -q ${waiting} && git commit -q --amend -m better && git switch -q main`,
  ].join(' && ')
  repo.run([
    'sh',
    '-c',
    `gza work 3 >../log 2>&1 & until [ -e ../slow ]; do sleep 0.02; done; ${person} || touch ../bad; touch ../go; wait`,
  ])
  expect(existsSync(repo.beside('bad'))).toBe(false)
  expect(
    repo
      .inbox()
      .map(({ code }) => code)
      .sort(),
  ).toEqual(['AGENT_ERROR', 'GUARDED_FILES'])
  expect(repo.task('3').landings).toMatchObject([{ outcome: 'landed' }])
  expect(repo.gza('retry', '2').code).toBe(0)
  repo.gza('work', '2')
  expect(repo.gza('merge', '1', '--yes').stdout).toContain('landed on main')
  expect(filesOf(repo)).toEqual(['.mcp.json', 'README.md', 'a.txt', 'b.txt', 'c.txt', 'gza.yaml', 'p.txt', 'q.txt'])
})
