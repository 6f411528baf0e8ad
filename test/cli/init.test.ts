import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binDir } from '../support/built-program.ts'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const BARE = [
  'Links follow amend and rebase (notes.rewriteRef)',
  '.gza/ is hidden from git status (.git/info/exclude)',
  'Tasks of main are kept in refs/tasks/main',
]

const PACKAGE = {
  name: 'shop',
  version: '1.0.0',
  scripts: { test: 'test -f node_modules/ready && test -f .env && node test.js' },
}
const LOCK = { name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages: {} }

/** An npm project whose set-up needs no network, with a client on PATH. */
function aProject(files: Record<string, string> = {}): Repo {
  const repo = aRepo()
  const bin = join(dirname(repo.dir), 'bin')
  mkdirSync(bin)
  for (const [name, text] of [
    ['codex', 'exit 1'],
    [
      'npm',
      'case $1 in ci) mkdir -p node_modules && touch node_modules/ready;; test) exec sh -c "$(node -p \'require("./package.json").scripts.test\')";; esac',
    ],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const withClient = repo.withEnv({ PATH: `${bin}:${repo.env.PATH}` })
  withClient.commit('first', {
    'package.json': JSON.stringify(PACKAGE),
    'package-lock.json': JSON.stringify(LOCK),
    '.gitignore': 'node_modules/\n.env*\n',
    'test.js': 'console.log("1 passing")\n',
    ...files,
  })
  withClient.write('.env', 'KEY=1\n')
  return withClient
}

function configOf(repo: Repo): string | null {
  const path = join(repo.dir, 'gza.yaml')
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

test('init --yes writes, trusts and commits a gza.yaml for the project, and runs its checks once', () => {
  const repo = aProject()
  repo.write('staged.txt', 'mine\n')
  repo.git('add', 'staged.txt')
  const init = repo.gza('init', '--yes')
  expect([init.code, init.stderr]).toEqual([0, ''])
  expect(init.stdout).toStartWith(BARE.join('\n'))
  expect(init.stdout).toMatch(
    /gza\.yaml is written and trusted\ngza\.yaml is committed\nRunning .*\n✓ The checks pass on main \([\d.]+ s\)\nNext: gza add "…", then gza work\n$/,
  )
  const text = configOf(repo)
  expect(text?.split('\n').filter((line) => !/^\s*#|^$/.test(line))).toEqual([
    ...['defaults:', '  agent: codex', 'verify:', '  command: npm test'],
    ...['worktree:', '  setup: npm ci', '  copy: [".env*"]', 'parallel_workers: 3'],
  ])
  expect(repo.git('show', '--name-only', '--format=%s', 'HEAD')).toBe('Configure gza\n\ngza.yaml')
  expect(repo.git('status', '--short')).toBe('A  staged.txt')
  expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: trusted')
  const schema = /\$schema=(.*)/.exec(text ?? '')?.[1] ?? ''
  expect(readFileSync(join(repo.dir, schema), 'utf8')).toBe(repo.gza('config', '--schema').stdout)
  const again = JSON.parse(outputOf(repo.gza('init', '--yes', '--json')))
  expect(again).toMatchObject({
    config: { action: 'none', committed: false, trusted: true },
    checks: { base: 'main', ok: true },
  })
  expect([configOf(repo), repo.git('rev-list', '--count', 'HEAD')]).toEqual([text, '2'])
})

test('checks that fail on the base are shown with their last lines, and a placeholder is not a check', () => {
  const repo = aProject({ 'test.js': 'console.error("totals are wrong"); process.exit(1)\n' })
  const init = repo.gza('init', '--yes')
  expect([init.code, init.stdout]).toEqual([
    0,
    expect.stringMatching(
      /✗ The checks fail on main \(.* s\)\n {2}npm test exited with 1: totals are wrong\n {2}totals are wrong\n/,
    ),
  ])
  const empty = aRepo()
  empty.commit('first', { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' })
  const without = empty.gza('init', '--yes')
  expect(without.stdout).toContain('No check is configured')
  expect([without.stdout.includes('Running'), configOf(empty)?.includes('#verify:')]).toEqual([false, true])
})

test('--bare writes no gza.yaml, and neither does init without a terminal, which says so', () => {
  const repo = aProject()
  expect(repo.gza('init', '--bare')).toMatchObject({ code: 0, stdout: `${BARE.join('\n')}\n`, stderr: '' })
  expect(repo.gza('init').stdout).toEndWith(
    '\nNo gza.yaml was written, because there is no terminal to ask: gza init --yes writes one\n',
  )
  expect(repo.gza('init', '--bare', '--yes')).toMatchObject({ code: 2 })
  expect([configOf(repo), repo.git('status', '--short')]).toEqual([null, ''])
})

test('an agent sets nothing up', () => {
  const repo = aProject().withEnv({ GZA_AGENT: 'claude' })
  const init = repo.gza('init', '--yes')
  expect([init.code, init.stderr]).toEqual([1, expect.stringContaining('init is blocked in agent mode')])
  expect([configOf(repo), existsSync(join(repo.dir, '.gza')), existsSync(join(repo.env.HOME ?? '', '.local'))]).toEqual(
    [...[null, false, false]],
  )
})

describe('a gza.yaml that exists', () => {
  const OWN = 'verify:\n  command: touch ~/ran && npm test # mine\n'

  test('is neither run nor changed nor trusted before a person trusts it', () => {
    const repo = aProject({ 'gza.yaml': OWN })
    const init = repo.gza('init', '--yes')
    expect([init.code, init.stderr]).toEqual([0, expect.stringContaining('Read it, then: gza trust')])
    expect([configOf(repo), existsSync(join(repo.dir, '../home/ran')), repo.git('status', '--short')]).toEqual([
      OWN,
      false,
      '',
    ])
    expect(repo.gza('trust', '--show').stdout).toContain('not trusted')
  })

  test('keeps every line, gets the sections that it lacks, and stays trusted', () => {
    const repo = aProject({ 'gza.yaml': OWN })
    repo.gza('trust')
    const init = repo.gza('init', '--yes')
    expect(init.stdout).toContain('gza.yaml would get these lines at its end:')
    expect(init.stdout).toContain('✓ The checks pass on main')
    expect(configOf(repo)).toStartWith(`${OWN}\n# Each task`)
    expect(configOf(repo)?.match(/^\w+:/gm)).toEqual(['verify:', 'worktree:'])
    expect(repo.gza('trust', '--show').stdout).toContain('gza.yaml: trusted')
    expect(repo.git('status', '--short')).toBe('')
  })

  test('with changes of a person is not committed', () => {
    const repo = aProject({ 'gza.yaml': 'land_batch: 4\n' })
    repo.write('gza.yaml', 'land_batch: 5\n')
    const init = repo.gza('init', '--yes')
    expect(init.stdout).toContain('gza.yaml is not committed: it has changes of yours that are not committed')
    expect([repo.git('rev-list', '--count', 'HEAD'), repo.git('show', 'HEAD:gza.yaml')]).toEqual(['1', 'land_batch: 4'])
    // Somebody else may have written the rest of it.
    expect(init.stdout).toMatch(/The checks were not run: .*\n {2}.*gza trust/)
  })
})

test('in a repository without a commit the next step is the first commit, also for work', () => {
  const repo = aRepo()
  repo.write('Makefile', 'test:\n\ttrue\n')
  const init = repo.gza('init', '--yes')
  expect([init.code, init.stdout]).toEqual([
    0,
    expect.stringMatching(
      /gza\.yaml is not committed: there is no commit yet\nThe checks were not run: there is no commit yet\n {2}Make the first one, with gza\.yaml in it \(git add \. && git commit\), then: gza init\n$/,
    ),
  ])
  repo.gza('add', 'one')
  const work = repo.gza('work')
  expect([work.code, work.stdout]).toEqual([
    1,
    'Task #1 cannot start: There is no commit yet to start from\n  git commit --allow-empty -m "Start"\n',
  ])
  repo.git('add', '.')
  repo.git('commit', '-qm', 'first')
  expect(repo.gza('init', '--yes').stdout).toContain('✓ The checks pass on main')
})

test('a program that the checks need and that is missing, and a missing client, are named with the next step', () => {
  const repo = aRepo()
  repo.commit('first', { 'package.json': '{"scripts":{"test":"x"}}', 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" })
  const only = (...names: string[]) => {
    const bin = join(dirname(repo.dir), `bin-${names.length}`)
    mkdirSync(bin)
    for (const name of ['git', 'sh', 'env', ...names]) symlinkSync(Bun.which(name) ?? '', join(bin, name))
    return repo.withEnv({ PATH: `${binDir()}:${bin}` })
  }
  expect(only().gza('init', '--yes').stdout).toMatch(
    /pnpm i --frozen-lockfile exited with 127: pnpm: not found[\s\S]*\nInstall pnpm, or correct gza\.yaml before agents start, then: gza init\n$/,
  )
  const plain = aRepo()
  plain.commit('first', { Makefile: 'test:\n\texit 0\n' })
  const lacking = plain.withEnv({ PATH: only('make').env.PATH })
  expect(lacking.gza('init', '--yes').stdout).toEndWith(
    'No client is installed yet. For example: npm i -g @anthropic-ai/claude-code\nNext: gza add "…", then gza work\n',
  )
})

// `script` gives the command a terminal.
test.skipIf(!HAS_SCRIPT)('on a terminal the file is shown and nothing is done without a yes', () => {
  const repo = aProject()
  const ask = (answers: string) => repo.run(['script', '-qec', 'gza init', '/dev/null'], { stdin: answers })
  const refused = ask('n\n')
  expect(refused.stdout).toMatch(/setup: npm ci[\s\S]*Write this\? \[y\/N\] [\s\S]*Nothing was written\./)
  expect(configOf(repo)).toBeNull()
})
