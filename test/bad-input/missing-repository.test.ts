import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../support/built-program.ts'
import { add, aStartedRepo, contents, gza, show } from '../support/ledger-calls.ts'
import { aRepo } from '../support/repo.ts'
import { refusalOf } from './refused-command.ts'

const CALLS = [['list'], ['add', 'x'], ['show', '1'], ['verify'], ['sync'], ['init'], ['import', '-']]

describe('where there is no repository', () => {
  test('every command reports it', () => {
    const repo = aRepo()
    for (const argv of CALLS) {
      expect(refusalOf(repo, argv, { cwd: '/', stdin: '- [ ] x\n' })).toEqual({
        exit: 1,
        code: 'NO_REPO',
        message: 'Not a git repository: /',
        hint: 'Run git init first, or go to a repository.',
      })
    }
    expect(repo.run(['gza', 'doctor'], { cwd: '/' }).code).toBe(1)
  })

  test.each([
    ['.git is an empty file', (dir: string) => writeFileSync(join(dir, '.git'), '')],
    ['.git points nowhere', (dir: string) => writeFileSync(join(dir, '.git'), 'gitdir: /nowhere\n')],
    ['.git is an empty folder', (dir: string) => mkdirSync(join(dir, '.git'))],
    ['.git is a link to itself', (dir: string) => symlinkSync('.git', join(dir, '.git'))],
    ['HEAD is missing', (dir: string) => Bun.spawnSync(['sh', '-c', 'git init -q . && rm .git/HEAD'], { cwd: dir })],
  ])('because %s, that is an error and no bug', (_, spoil) => {
    const repo = aRepo()
    const cwd = join(repo.env.HOME ?? '', 'spoilt')
    mkdirSync(cwd)
    spoil(cwd)
    expect(refusalOf(repo, ['list'], { cwd })).toMatchObject({ exit: 1, code: 'NO_REPO' })
  })

  test('because -C names no folder, the call is wrong', () => {
    const repo = aRepo()
    for (const folder of ['/nowhere', `${repo.dir}/.git/HEAD`, ''])
      expect(repo.gza('-C', folder, 'list')).toMatchObject(
        folder === ''
          ? { code: 0 }
          : { code: 2, stderr: `Error: There is no folder ${folder}\n  Check the folder after -C.\n` },
      )
  })
})

describe('where git is not on PATH', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  contents(repo)
  const options = { env: { PATH: '/nowhere' } }

  test('what needs it reports it, and what does not works', () => {
    for (const argv of [['add', 'two'], ['done', '1'], ['log'], ['verify'], ['sync'], ['init']]) {
      expect(refusalOf(repo, argv, options)).toEqual({
        exit: 1,
        code: 'NO_GIT',
        message: `git could not be started in ${repo.dir}`,
        hint: 'Install git 2.34 or later and make sure that it is on PATH.',
      })
    }
    for (const argv of [['list'], ['ready'], ['show', '1'], ['status'], ['groups'], ['--version'], ['--help']])
      expect(repo.run(['gza', ...argv], options)).toMatchObject({ code: 0, stderr: '' })
    expect(repo.run(['gza', 'doctor'], options)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fail {2}git /),
    })
  })

  test('a git that only fails is distinguished from one that is missing', () => {
    const folder = join(repo.env.HOME ?? '', 'failing')
    mkdirSync(folder)
    writeFileSync(join(folder, 'git'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    const { code, stderr } = repo.run(['gza', 'add', 'two'], { env: { PATH: `${folder}:/usr/bin:/bin` } })
    expect({ code, isTold: stderr.includes('git') }).toEqual({ code: 70, isTold: true })
    expect(contents(repo)).toEqual(['one'])
  })
})

describe('an environment that lacks what others have', () => {
  test('without HOME every command works', () => {
    const repo = aStartedRepo()
    const homeless = repo.withEnv({ HOME: undefined, XDG_STATE_HOME: undefined, USER: undefined })
    add(homeless, 'one')
    gza(homeless, 'done', '1')
    gza(homeless, 'trust', '--show')
    expect(show(homeless, 1)).toMatchObject({
      content: 'one',
      status: 'completed',
      created_by: expect.stringMatching(/./),
    })
    expect(homeless.gza('doctor')).toMatchObject({ code: 0, stderr: '' })
  })

  test('without any variable at all too', () => {
    const repo = aStartedRepo()
    const { code, stdout, stderr } = repo.run(['env', '-i', bin('gza'), 'add', 'one'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Created task #1 /),
      stderr: '',
    })
  })

  test('in a folder that is gone, one line reports it', () => {
    const repo = aStartedRepo()
    for (const name of ['gza', 'git-tasks']) {
      const { code, stdout, stderr } = repo.run(['sh', '-c', `mkdir gone && cd gone && rmdir ../gone && ${name} list`])
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: .*deleted.*\n$/i),
      })
    }
  })
})

describe('a file where the state’s folder belongs', () => {
  test('costs speed and nothing more, and doctor reports it', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    rmSync(join(repo.dir, '.git/gza'), { recursive: true })
    writeFileSync(join(repo.dir, '.git/gza'), 'mine')
    add(repo, 'two')
    gza(repo, 'done', '1')
    expect(contents(repo)).toEqual(['one', 'two'])
    expect(repo.gza('doctor').stdout).toContain('state.db cannot be created')
    expect(repo.run(['cat', '.git/gza']).stdout).toBe('mine')
  })

  test('as does a folder where the index belongs', () => {
    const repo = aStartedRepo()
    mkdirSync(join(repo.dir, '.git/gza/state.db'), { recursive: true })
    add(repo, 'one')
    expect(contents(repo)).toEqual(['one'])
  })
})

describe('descriptors that are closed', () => {
  test.each([
    ['standard input', 'gza add </dev/null <&-', 2, ['one']],
    ['standard output', 'gza add two >&-', 0, ['one', 'two']],
    ['standard error', 'gza show 99 2>&-', 1, ['one']],
    ['all three', 'git-tasks add two <&- >&- 2>&-', 0, ['one', 'two']],
    ['standard output of a refusal', 'gza show 99 --json >&-', 1, ['one']],
  ])('%s', (_, line, code, left) => {
    const repo = aStartedRepo()
    add(repo, 'one')
    expect(repo.run(['sh', '-c', line]).code).toBe(code)
    // With a descriptor missing, the index or an object might have been opened as it, and written over.
    expect(contents(repo)).toEqual(left)
    expect(repo.gza('verify').code).toBe(0)
    expect(repo.git('fsck')).toBe('')
  })

  test('a reader that leaves after the first line ends every command silently', () => {
    const repo = aStartedRepo()
    const stdin = Array.from({ length: 3000 }, (_, n) => `- [ ] task ${n} ${'x'.repeat(60)}`).join('\n')
    repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin })
    for (const args of [
      'list',
      'list --json',
      'next',
      'status',
      'pr',
      'export',
      'export --csv',
      'query "SELECT * FROM tasks"',
    ])
      for (const name of ['gza', 'git-tasks'])
        expect(repo.run(['bash', '-c', `${name} ${args} | head -1 >/dev/null; echo "$PIPESTATUS"`])).toEqual({
          code: 0,
          stdout: '0\n',
          stderr: '',
        })
  })
})

test('folders of a person that cannot be written are reported, and are not a defect', () => {
  const repo = aStartedRepo().withEnv({ XDG_DATA_HOME: '/dev/null/data', XDG_STATE_HOME: '/dev/null/state' })
  repo.write('gza.yaml', 'verify:\n  command: "true"\n')
  const hint = 'HOME, the XDG variables and TMPDIR decide where gza writes outside of a repository.'
  const why = 'cannot be used: a part of the path is not a folder'
  expect(refusalOf(repo, ['shell-init'])).toEqual({
    exit: 1,
    code: 'UNUSABLE_PATH',
    message: `/dev/null/data/gza/shim ${why}`,
    hint,
  })
  expect(refusalOf(repo, ['trust'])).toEqual({
    exit: 1,
    code: 'UNUSABLE_PATH',
    message: `/dev/null/state/gza ${why}`,
    hint,
  })
  const task = add(repo, 'a task')
  const work = repo.withEnv({ GZA_TRUST: '1' }).gza('work', task)
  expect([work.code, work.stderr]).toEqual([1, expect.stringContaining(`Error: /dev/null/state/gza`)])
  expect(show(repo, task).runs).toEqual([])
})

test('a configuration that git cannot read is reported, and is not a defect', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  writeFileSync(join(repo.env.HOME!, '.gitconfig'), '[user\n')
  const why = `bad config line 1 in file ${repo.env.HOME}/.gitconfig`
  const hint = 'Git cannot read its configuration, and does nothing until it is corrected: git config --list'
  for (const argv of [['add', 'two'], ['verify'], ['sync'], ['init']])
    expect(refusalOf(repo, argv)).toMatchObject({ code: 'BAD_GIT_CONFIG', message: expect.stringContaining(why), hint })
  expect(repo.gza('doctor')).toMatchObject({
    code: 1,
    stdout: `fail  git  git --version: ${why}\n           ${hint}\n`,
  })
})

test('a store of leases that is not a database is reported, and stays', () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const live = join(repo.dir, '.git/gza/live.db')
  writeFileSync(live, 'no database')
  for (const argv of [['list'], ['claim', '1'], ['ps']])
    expect(refusalOf(repo, argv)).toEqual({
      exit: 1,
      code: 'LIVE_UNUSABLE',
      message: `${live} cannot be used: file is not a database`,
      hint: 'It records who works on what. When no gza process runs here any more, move it elsewhere.',
    })
  rmSync(live)
  expect(contents(repo)).toEqual(['one'])
})
