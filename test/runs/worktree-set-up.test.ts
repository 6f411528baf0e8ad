import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'

const IGNORED = 'deps/\n.env*\nvendor/\nconfig/\n'
const INSTALL = 'echo "$PWD" >> "$BESIDE/setups"; echo installing the packages; mkdir -p deps; cp tool.txt deps/'
const READY =
  'test -f deps/tool.txt && test "$(cat .env)" = KEY=1 && test -f vendor/lib && test -f config/local.json && ! test -e config/other.json && ! test -e deps/.env'

/** A project that needs packages, a file with keys, a linked folder and a local file. Nothing of it is in git. */
function aProject(acts: Record<string, string>, options: AgentRepoOptions = {}): AgentRepo {
  const { config, files, ...rest } = options
  const worktree = { setup: INSTALL, copy: ['.env*', '!.env.production'], link: ['vendor'] }
  const repo = anAgentRepo(acts, {
    ...rest,
    files: {
      '.gitignore': IGNORED,
      '.worktreeinclude': '# local\nconfig/local.json\ntool.txt\n',
      'tool.txt': 'tool\n',
      ...files,
    },
    config: { worktree, ...config },
  })
  for (const path of ['.env', '.env.production', 'deps/.env', 'config/local.json', 'config/other.json', 'vendor/lib']) {
    repo.write(path, path === '.env' ? 'KEY=1\n' : `${path}\n`)
  }
  return { ...repo, ...stage(repo) }
}

/** The folder beside the repository, for the set-up command. */
function stage(repo: AgentRepo): Pick<AgentRepo, 'gza' | 'start'> {
  const env = { BESIDE: repo.beside('.') }
  return { gza: (...args) => repo.run(['gza', ...args], { env }), start: (argv) => repo.start(argv, { env }) }
}

function setUps(repo: AgentRepo): string[] {
  return existsSync(repo.beside('setups')) ? readFileSync(repo.beside('setups'), 'utf8').trim().split('\n') : []
}

function filesOf(repo: AgentRepo, commit: string): string[] {
  return repo.git('ls-tree', '-r', '--name-only', commit).split('\n')
}

const TRACKED = ['.gitignore', '.worktreeinclude', 'README.md', 'gza.yaml', 'tool.txt']

test('a worktree is set up before its agent, its reviewer, its checks and its landing, and nothing of that is committed', () => {
  const setup = `${INSTALL}; echo more >> README.md; echo lock > made.lock`
  const work = 'test -f made.lock && save one.txt 1 && git add -A && git commit -qm one && save left.txt 2'
  const review = `mkdir -p .gza/reviews; printf '**Verdict: APPROVED**\\n' > "$(grep -o '.gza/reviews/[^ ]*.md' <<<"$prompt" | head -1)"`
  const acts = { one: `${READY} || exit 3; case $prompt in *Verdict:*) ${review};; *) ${work};; esac` }
  const repo = aProject(acts, {
    config: {
      land: 'merge',
      verify: { command: `${READY} && readlink vendor` },
      worktree: { setup, copy: ['.env*', '!.env.production'], link: ['vendor'] },
    },
  })
  repo.add('one', '--auto-review')
  expect(outputOf(repo.gza('work'))).toContain('✓ Task #1 completed')
  expect(filesOf(repo, 'main')).toEqual([...TRACKED, 'left.txt', 'one.txt'].sort())
  expect(repo.git('show', 'main:README.md')).toBe('hello')
  // The base before the agent starts, the worktree and the reviewer's checkout, then the landed tree, and the base when the session ends.
  const places = setUps(repo).map((path) => path.replace(/.*worktrees\/[^/]*\//, '').replace(/^\d{8}-|^run-.*/, ''))
  expect(places.map((place) => (place === 'one' || place.startsWith('.land') ? place : 'review'))).toEqual([
    ...['.land/main', 'one', 'review', '.land/main', '.land/main'],
  ])
  expect(readFileSync(join(repo.dir, 'vendor/lib'), 'utf8')).toBe('vendor/lib\n')
  const logs = repo.gza('logs', '1').stdout
  expect(logs).toContain('── setup')
  expect(logs).toContain('installing the packages')
  expect(logs).toContain('Set-up changed README.md')
  expect([repo.worktrees(), repo.git('status', '--short')]).toEqual([[], ''])
})

test('a set-up that fails is the failure of the run, with its output, and the agent is not called', () => {
  const repo = aProject(
    {},
    {
      defaults: { max_attempts: 2 },
      config: { worktree: { setup: 'echo junk > junk.txt; echo E404 no such package >&2; exit 7' } },
    },
  )
  repo.add('one')
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  const { status, runs } = repo.task('1')
  expect([status, runs.map(({ outcome, reason }) => [outcome, reason])]).toEqual([
    'failed',
    [
      ['failed', 'setup-failed'],
      ['failed', 'setup-failed'],
    ],
  ])
  expect(runs[1]?.detail).toContain('exited with 7: E404 no such package\nE404 no such package')
  expect([repo.calls(), repo.worktrees(), repo.survivors()]).toEqual([[], [], []])
  expect(repo.gza('logs', '1').stdout).toContain('E404 no such package')
})

test('a set-up has a time limit of its own, and nothing that it started is left', () => {
  const repo = aProject(
    {},
    {
      defaults: { max_attempts: 1 },
      config: { worktree: { setup: '$BESIDE/lurk & exec $BESIDE/lurk', timeout_minutes: 0.02 } },
    },
  )
  repo.add('one')
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  expect(repo.task('1').runs[0]).toMatchObject({ reason: 'setup-failed' })
  expect(String(repo.task('1').runs[0]?.detail)).toContain('had not ended after 1.2 s')
  expect(repo.survivors()).toEqual([])
})

test('after a kill -9 during the set-up the worktree is made anew, and nothing half-done is taken for work', () => {
  const killOnce =
    'if mkdir "$BESIDE/killed" 2>/dev/null; then echo x > half.txt; echo x >> README.md; kill -9 $PPID; sleep 60; fi'
  const repo = aProject(
    { one: 'test -f deps/tool.txt || exit 3; commit one.txt 1' },
    {
      config: { worktree: { setup: `${killOnce}; ${INSTALL}`, copy: ['.env*'] } },
      // In a box it could not kill gza.
      isolation: 'off',
    },
  )
  repo.add('one')
  expect(repo.gza('work').code).not.toBe(0)
  expect([existsSync(repo.beside('killed')), repo.calls()]).toEqual([true, []])
  expect(repo.gza('work').stderr).not.toContain('Error')
  const { status, runs, branch } = repo.task('1')
  expect([status, runs.map(({ outcome }) => outcome)]).toEqual(['completed', ['interrupted', 'completed']])
  expect(filesOf(repo, String(branch))).toEqual([...TRACKED, 'one.txt'].sort())
  expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('one: one.txt')
  expect([setUps(repo).length, repo.worktrees(), repo.survivors()]).toEqual([1, [], []])
})

test('a worktree that is still there is not set up twice', () => {
  const repo = aProject({
    one: 'if [ -f deps/again ]; then commit one.txt 1; else touch deps/again; echo x > id_rsa; fi',
  })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.task('1').runs[0]).toMatchObject({ reason: 'secrets-left' })
  const [path = ''] = repo.worktrees()
  rmSync(join(path, 'id_rsa'))
  outputOf(repo.gza('retry', '1'))
  expect([repo.task('1').status, setUps(repo)]).toEqual(['completed', [path]])
})

test('a copied file that an agent commits by force fails the check', () => {
  const repo = aProject(
    { one: 'commit one.txt 1; git add -f .env vendor; git commit -qm forced' },
    { defaults: { max_attempts: 1 } },
  )
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  const run = repo.task('1').runs[0]
  expect([run?.reason, run?.detail]).toEqual([
    'verify-failed',
    expect.stringContaining('must not be committed: .env, vendor'),
  ])
})

test('worktrees are made where worktree.root wants them', () => {
  const repo = anAgentRepo({}, { config: { worktree: { root: '../big disk' } } })
  repo.add('one')
  outputOf(repo.gza('work'))
  expect(repo.calls().map(({ cwd }) => cwd.replace(/-[0-9a-f]{8}\//, '-HASH/').replace(/\/\d{8}-/, '/'))).toEqual([
    `${repo.beside('big disk')}/repo-HASH/one`,
  ])
  expect(repo.worktrees()).toEqual([])
  expect(repo.gza('doctor').stdout).toMatch(/ok {4}worktrees +1 worktree will need about 1 kB; .* are free/)
  repo.write('gza.yaml', 'worktree: { root: trees }\n')
  repo.add('two')
  const work = repo.gza('work')
  expect([work.code, work.stderr]).toEqual([1, expect.stringContaining('git does not ignore')])
  repo.write('.gitignore', 'trees/\n')
  expect(repo.gza('doctor').stdout).not.toContain('git does not ignore')
})

test('settings of worktrees need trust, and a folder that is linked must be inside the repository', () => {
  for (const [worktree, key] of [
    [{ setup: 'npm ci' }, 'worktree.setup'],
    [{ copy: ['.env'] }, 'worktree.copy'],
    [{ link: ['node_modules'] }, 'worktree.link'],
    [{ root: '/tmp/elsewhere' }, 'worktree.root'],
  ] as const) {
    const repo = anAgentRepo({}, { env: { GZA_TRUST: '' } })
    repo.write('gza.yaml', JSON.stringify({ worktree }))
    repo.add('one')
    const work = repo.gza('work')
    expect([work.code, work.stderr]).toEqual([1, expect.stringContaining(key)])
  }
  const repo = anAgentRepo({})
  for (const path of ['/etc', '../x', 'a/../../x', '.git', '.git/hooks', '.gza', '~/x', '.', ' ']) {
    repo.write('gza.yaml', JSON.stringify({ worktree: { link: [path] } }))
    const config = repo.gza('config')
    expect([path, config.code, config.stderr]).toEqual([
      path,
      1,
      expect.stringContaining('worktree.link.0 must be a path'),
    ])
  }
})
