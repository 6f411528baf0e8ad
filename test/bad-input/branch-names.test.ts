import { describe, expect, test } from 'bun:test'
import { add, aStartedRepo, ask, contents, gza } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { refsOf, refusalOf } from './refused-command.ts'

const NO_NAMES = [
  ...['a b', 'a..b', 'a/', '/a', 'a//b', 'x.lock', 'x.lock/y', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[b', 'a\\b', '@{u}'],
  ...['.a', 'a/.b', 'a.', '..', '.', '/', '\u001b[2J', 'tab\there', 'two\nlines', '\u007f', '../../heads/main'],
]

test.each(NO_NAMES)('%j is not a branch, for --branch, for GZA_BRANCH and for gza.yaml', (name) => {
  const repo = aStartedRepo()
  const refused = { exit: 2, code: 'BAD_BRANCH', message: `'${name}' cannot be the name of a branch` }
  expect(refusalOf(repo, ['add', 'x', `--branch=${name}`])).toMatchObject(refused)
  expect(refusalOf(repo, ['list'], { env: { GZA_BRANCH: name } })).toMatchObject(refused)
  repo.write('gza.yaml', `ledger: ${JSON.stringify(name)}\n`)
  expect(refusalOf(repo, ['list'])).toMatchObject(refused)
})

test('an empty --branch is refused, and one too long for a file is too', () => {
  const repo = aStartedRepo()
  expect(refusalOf(repo, ['list', '--branch='])).toMatchObject({ exit: 2, code: 'BAD_BRANCH' })
  const long = 'x'.repeat(300)
  expect(refusalOf(repo, ['add', 'x', '--branch', long, '--create'])).toMatchObject({ exit: 1, code: 'NAME_TOO_LONG' })
  expect(refusalOf(repo, ['list', '--branch', long])).toMatchObject({ exit: 1, code: 'NO_LEDGER' })
})

describe('a name that has neither a branch nor a ledger', () => {
  function withFeature(): Repo {
    const repo = aStartedRepo()
    add(repo, 'here')
    repo.git('branch', 'feature')
    repo.write('list.md', '- [ ] One\n')
    repo.write('plan.md', '# Plan\n\n## T1: One\n\nDo it.\n')
    repo.write('TODO.md', '- [ ] One\n')
    return repo
  }

  const WRITING = [
    ['add', '"…"'],
    ['import', 'list.md'],
    ['plan', 'import', 'plan.md'],
    ['todo', 'start', '1'],
  ]

  test.each(WRITING)('is refused by %s %s until --create is given, and nothing is made', (...argv) => {
    const repo = withFeature()
    const before = refsOf(repo)
    expect(refusalOf(repo, [...argv, '--branch', 'featrue'])).toEqual({
      exit: 1,
      code: 'NO_LEDGER',
      message: 'There is no branch or ledger featrue; did you mean feature?',
      hint: `Nothing was changed. To start a ledger with that name: gza ${argv.join(' ')} --branch featrue --create`,
    })
    expect(refsOf(repo)).toBe(before)
    gza(repo, ...argv, '--branch', 'featrue', '--create')
    expect(contents(repo, '--branch', 'featrue')).not.toEqual([])
    expect(contents(repo)).toEqual(['here'])
    gza(repo, 'add', 'one more', '--branch', 'featrue')
  })

  test('breakdown has the flag too, and git tasks names itself', () => {
    const repo = withFeature()
    expect(repo.tasks('add', 'x', '--branch', 'ideas').stderr).toEndWith('git tasks add "…" --branch ideas --create\n')
    gza(repo, 'breakdown', 'plan.md', '--branch', 'ideas', '--create')
    expect(contents(repo, '--branch', 'ideas')).not.toEqual([])
  })

  test.each([
    ...[
      ['list'],
      ['ready'],
      ['next'],
      ['show', '1'],
      ['status'],
      ['tree'],
      ['log'],
      ['why', '1'],
      ['context'],
      ['export'],
    ],
    ...[
      ['done', '1'],
      ['note', '1', 'x'],
      ['edit', '1', '--title', 'x'],
      ['delete', '1'],
      ['undo'],
      ['queue'],
      ['todo'],
    ],
  ])('is refused by %s, which names the ledgers', (...argv) => {
    const repo = withFeature()
    add(repo, 'there', '--branch', 'feature')
    expect(refusalOf(repo, [...argv, '--branch', 'mainn'])).toEqual({
      exit: 1,
      code: 'NO_LEDGER',
      message: 'There is no branch or ledger mainn; did you mean main?',
      hint: 'Tasks are on: feature, main',
    })
  })

  test('is not one of a branch without tasks, of a branch of a remote, or of one without a commit', () => {
    const repo = withFeature()
    expect(gza(repo, 'list', '--branch', 'feature')).toBe('')
    gza(repo, 'add', 'first', '--branch', 'feature')
    repo.git('update-ref', 'refs/remotes/origin/theirs', 'HEAD')
    gza(repo, 'add', 'first', '--branch', 'theirs')
    const fresh = aRepo()
    gza(fresh, 'add', 'first', '--branch', 'main')
  })

  test('may be set by GZA_BRANCH and gza.yaml, which are not typed for each command', () => {
    const repo = withFeature()
    gza(repo.withEnv({ GZA_BRANCH: 'variable' }), 'add', 'one')
    repo.write('gza.yaml', 'ledger: file\n')
    gza(repo, 'add', 'two')
    expect([contents(repo, '--branch', 'variable'), contents(repo)]).toEqual([['one'], ['two']])
  })
})

const ODD_NAMES = [
  ...[
    '@',
    'HEAD',
    'refs/heads/main',
    'ünï/ço∂é',
    '日本語',
    '👍',
    'q\'uo"te',
    'a$(id)b',
    ';rm',
    '&',
    '|x',
    'a%20b',
    'a#b',
  ],
  ...[
    '{}',
    '<html>',
    '!',
    '%',
    'a'.repeat(200),
    `${'deep/'.repeat(30)}end`,
    '-dash/-x'.slice(1),
    'a@b',
    '=',
    'e\u0301',
  ],
]

describe('names that git allows, however odd', () => {
  test('each have a ledger of their own, which sync, verify and doctor know', () => {
    const repo = aStartedRepo()
    repo.git('remote', 'add', 'origin', aRepo({ bare: true }).dir)
    for (const name of ODD_NAMES) add(repo, `on ${name}`, '--branch', name)
    for (const name of ODD_NAMES) expect(contents(repo, '--branch', name)).toEqual([`on ${name}`])
    expect(ask<unknown[]>(repo, 'list', '--all-branches')).toHaveLength(ODD_NAMES.length)
    expect(ask<{ ledgers: unknown[] }>(repo, 'sync').ledgers).toHaveLength(ODD_NAMES.length)
    expect(ask<{ ok: boolean }[]>(repo, 'verify', '--all-branches').map(({ ok }) => ok)).toEqual(
      ODD_NAMES.map(() => true),
    )
  })

  test('are followed when they are checked out', () => {
    const repo = aStartedRepo()
    for (const name of ['ünï/ço∂é', 'q\'uo"te', 'a$(id)b', '👍', ';rm']) {
      repo.git('checkout', '--quiet', '-b', name)
      add(repo, `on ${name}`)
      expect(contents(repo)).toEqual([`on ${name}`])
    }
  })
})

describe('a detached HEAD', () => {
  test('is an error that says how to name the ledger, and each of the ways works', () => {
    const repo = aStartedRepo()
    const id = add(repo, 'one')
    const head = repo.git('rev-parse', '--short=7', 'HEAD')
    repo.git('checkout', '--quiet', '--detach')
    for (const argv of [['list'], ['add', 'x'], ['show', id], ['done', '1'], ['verify'], ['pr']]) {
      expect(refusalOf(repo, argv)).toEqual({
        exit: 1,
        code: 'DETACHED_HEAD',
        message: `HEAD is detached at ${head}, so no branch selects the tasks`,
        hint: 'Check out a branch, or name the ledger: --branch main (or GZA_BRANCH=main, or `ledger: main` in gza.yaml)',
      })
    }
    expect(gza(repo, 'list', '--branch', 'main')).toBe(`#1 ${id}: one`)
    expect(gza(repo.withEnv({ GZA_BRANCH: 'main' }), 'list')).toBe(`#1 ${id}: one`)
    repo.write('gza.yaml', 'ledger: main\n')
    expect(gza(repo, 'list')).toBe(`#1 ${id}: one`)
  })

  test('can still finish a task of a ledger that is named', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    repo.git('checkout', '--quiet', '--detach')
    gza(repo, 'done', '1', '--branch', 'main')
    expect(ask<{ status: string }>(repo, 'show', '1', '--branch', 'main').status).toBe('completed')
  })
})

describe('feature/x after feature was deleted', () => {
  function afterFeature() {
    const repo = aStartedRepo()
    repo.git('checkout', '--quiet', '-b', 'feature')
    for (const content of ['open', 'finished', 'deleted']) add(repo, content)
    gza(repo, 'done', '2')
    gza(repo, 'delete', '3')
    repo.git('checkout', '--quiet', 'main')
    repo.git('branch', '--quiet', '-D', 'feature')
    repo.git('checkout', '--quiet', '-b', 'feature/x')
    return repo
  }

  test('gets its ledger, the old one moves to the archive, and no open task is lost', () => {
    const repo = afterFeature()
    const old = repo.git('rev-parse', 'refs/tasks/feature')
    const { code, stdout, stderr } = repo.gza('add', 'new')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Created task #\d+ /) })
    expect(stderr).toBe(
      'Warning: The branch feature no longer exists: its ledger moved to refs/tasks-archive/feature, its open tasks (1) to feature/x\n',
    )
    expect(contents(repo)).toEqual(['open', 'new'])
    expect(repo.git('rev-parse', 'refs/tasks-archive/feature^')).toBe(old)
    expect(repo.gza('verify').code).toBe(0)
  })

  test('can be read before anything is written, and reading moves nothing', () => {
    const repo = afterFeature()
    const before = refsOf(repo)
    expect(repo.gza('list')).toMatchObject({ code: 0, stdout: '' })
    expect(refsOf(repo)).toBe(before)
  })

  test('is refused to agents, because they may not archive', () => {
    const repo = afterFeature().withEnv({ GZA_AGENT: 'claude-code' })
    expect(refusalOf(repo, ['add', 'new'])).toMatchObject({ exit: 1, code: 'AGENT_MODE' })
  })

  test('is refused while the other branch lives, and says which ledger to use', () => {
    const repo = aStartedRepo()
    repo.git('branch', 'feature')
    add(repo, 'theirs', '--branch', 'feature')
    expect(refusalOf(repo, ['add', 'x', '--branch', 'feature/x', '--create'])).toEqual({
      exit: 1,
      code: 'LEDGER_IN_THE_WAY',
      message: 'Tasks of feature/x cannot be kept next to those of feature: git does not allow a ref below another',
      hint: 'Use the ledger of that branch: --branch feature',
    })
    expect(contents(repo, '--branch', 'feature')).toEqual(['theirs'])
  })

  test('works the other way round: feature after feature/x and feature/y were deleted', () => {
    const repo = aStartedRepo()
    for (const name of ['feature/x', 'feature/y']) add(repo, `on ${name}`, '--branch', name)
    repo.git('checkout', '--quiet', '-b', 'feature')
    add(repo, 'new')
    expect(contents(repo).toSorted()).toEqual(['new', 'on feature/x', 'on feature/y'])
  })
})
