import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorkplace } from '../../../src/engine/worktree/remove.ts'
import { commitIn, gitIn, put, textOf } from '../worktree/project-repo.ts'
import { work } from './committed-work.ts'

test('without commands only the files are checked, in the commit', async () => {
  const { check } = await work({ 'src/[id]/page.tsx': 'x', 'test/a b.test.ts': 'x', 'assets/logo.svg': 'x' })
  const filesToCreate = ['src/[id]/page.tsx', './assets/', 'a.txt']
  const report = await check({ filesToCreate, testFiles: ['test/a b.test.ts', 'test/**/*.test.ts'] })
  expect(report).toMatchObject({ ok: true, failure: null, counts: null })
  expect(report.steps.map(({ name, ok }) => ({ name, ok }))).toEqual([
    { name: 'commit', ok: true },
    { name: 'files', ok: true },
  ])
})

test('a file that is not in the commit is missing, also where it is on disk', async () => {
  const { check, workplace } = await work({ '.gitignore': '*.gen.ts\n', 'src/there.ts': 'x' })
  put(workplace, 'src/made.gen.ts', 'x')
  const filesToCreate = [
    'src/there.ts',
    'src/made.gen.ts',
    'src/never.ts',
    '../outside.ts',
    '/etc/passwd',
    ':(top)a.txt',
  ]
  const report = await check({ filesToCreate, testFiles: ['test/never.test.ts'], command: 'touch ../ran' })
  expect(report.failure).toEqual({
    what: 'files-missing',
    detail:
      'Not in the commit: src/made.gen.ts (on disk, but ignored by git), src/never.ts, ../outside.ts, /etc/passwd, ' +
      ':(top)a.txt, test/never.test.ts',
  })
  expect(existsSync(join(workplace.path, '../ran'))).toBe(false)
})

test('a worktree that is not exactly the recorded commit is refused before anything runs', async () => {
  const { project, workplace, commit, check } = await work({ 'b.txt': 'two\n' })
  const command = 'touch ../ran'
  put(workplace, 'untracked.txt', 'x')
  put(workplace, 'b.txt', 'changed')
  expect((await check({ command })).failure).toEqual({
    what: 'tree-changed',
    detail: 'Not committed: b.txt, untracked.txt',
  })
  expect(textOf(workplace, 'untracked.txt')).toBe('x')
  const later = commitIn(project, workplace, {})
  expect((await check({ command })).failure).toEqual({
    what: 'tree-changed',
    detail: `The worktree is at ${later.slice(0, 10)}, not at ${commit.slice(0, 10)}`,
  })
  expect(existsSync(join(workplace.path, '../ran'))).toBe(false)
})

test('test files are arguments of the test command, or go where it names them; the whole tree’s command comes after', async () => {
  const { check, workplace } = await work({ "test/it's $HOME.test.ts": 'x', '-rf.test.ts': 'x' })
  const log = join(workplace.path, '../log')
  const testFiles = ["test/it's $HOME.test.ts", '-rf.test.ts']
  const show = `printf "%s\\n" "$@" >> "${log}"`
  await check({ testFiles, testCommand: `sh -c '${show}' sh before` })
  await check({ testFiles, testCommand: `sh -c '${show}' sh {files} after`, command: `pwd >> "${log}"` })
  expect(readFileSync(log, 'utf8').split('\n')).toEqual([
    ...['before', "test/it's $HOME.test.ts", './-rf.test.ts'],
    ...["test/it's $HOME.test.ts", './-rf.test.ts', 'after', workplace.path, ''],
  ])
})

test('a red test is a failure with the last lines of output, safe to print, and with its counts', async () => {
  const { check } = await work({ 'a.test.ts': 'x' })
  const testCommand = `printf 'lots\\n%.0s' $(seq 500); printf '\\033[31mexpected 1\\033[0m\\n\\033]0;title\\007 2 pass\\n 1 fail\\nRan 3 tests across 1 file.\\n'; exit 1; :`
  const report = await check({ testFiles: ['a.test.ts'], testCommand, command: 'true' })
  expect(report).toMatchObject({
    ok: false,
    failure: { what: 'tests-failed' },
    counts: { passed: 2, failed: 1, skipped: 0 },
  })
  expect(report.failure?.detail).toContain('exited with 1')
  expect(report.failure?.detail).toEndWith('expected 1\n 2 pass\n 1 fail\nRan 3 tests across 1 file.')
  expect(report.failure?.detail.length).toBeLessThan(7000)
  expect(report.steps.map(({ name, ok }) => `${name} ${ok}`)).toEqual(['commit true', 'files true', 'tests false'])
})

test('exit code 0 proves no tests that failed, and none that did not run', async () => {
  const { check } = await work({ 'a.test.ts': 'x' })
  const say = (line: string): string => `echo '${line}' #`
  const testFiles = ['a.test.ts']
  expect(await check({ testFiles, testCommand: say('Tests:       1 failed, 2 passed, 3 total') })).toMatchObject({
    failure: { what: 'tests-failed', detail: expect.stringContaining('1 failed, though ') },
    counts: { passed: 2, failed: 1, skipped: 0 },
  })
  expect(await check({ testFiles, testCommand: say('Tests:       3 skipped, 3 total') })).toMatchObject({
    failure: { what: 'tests-failed', detail: expect.stringContaining('No test ran, though ') },
  })
  expect((await check({ testFiles, testCommand: say('an unknown runner') })).ok).toBe(true)
  expect((await check({ command: say('Tests:       3 skipped, 3 total') })).ok).toBe(true)
})

test('the whole tree’s command decides by its exit code; how it ended is reported', async () => {
  const { check } = await work()
  expect((await check({ command: 'echo broken; exit 3' })).failure).toEqual({
    what: 'command-failed',
    detail: 'echo broken; exit 3 exited with 3: broken\nbroken',
  })
  expect((await check({ command: 'kill -9 $$' })).failure).toEqual({
    what: 'command-failed',
    detail: 'kill -9 $$ was ended by SIGKILL',
  })
  expect((await check({ command: 'no-such-program' })).failure?.detail).toMatch(
    /^no-such-program exited with 127: no-such-program: (command )?not found\n/,
  )
})

test('tests that change what is committed are a failure, and their changes stay to be seen', async () => {
  const { check, workplace } = await work({ 'snapshot.txt': 'old\n' })
  const report = await check({ command: 'echo new > snapshot.txt' })
  expect(report.failure).toEqual({
    what: 'tree-changed',
    detail: 'echo new > snapshot.txt changed snapshot.txt',
  })
  expect(textOf(workplace, 'snapshot.txt')).toBe('new\n')
})

test('tests that commit are a failure', async () => {
  const { check, project, workplace, commit } = await work()
  const report = await check({ command: 'git commit -q --allow-empty -m sneaky' })
  const head = gitIn(project, workplace, 'rev-parse', 'HEAD')
  expect(report.failure).toEqual({
    what: 'tree-changed',
    detail: `git commit -q --allow-empty -m sneaky moved the worktree from ${commit.slice(0, 10)} to ${head.slice(0, 10)}`,
  })
})

test('new files that tests leave behind go; ignored ones and artifacts stay', async () => {
  const { check, project, workplace } = await work({ '.gitignore': 'cache/\n' })
  put(workplace, '.gza/plans/p.md', 'the plan')
  const report = await check({ command: 'mkdir -p cache out/deep && touch cache/x out/deep/y report.xml' })
  expect(report.ok).toBe(true)
  expect(
    ['cache/x', '.gza/plans/p.md', 'out', 'report.xml'].map((name) => existsSync(join(workplace.path, name))),
  ).toEqual([...[true, true], ...[false, false]])
  expect(await removeWorkplace(project.repo, workplace)).toBe('kept')
})

test('variables that lead git elsewhere do not reach the checks', async () => {
  const { check, project } = await work({ 'b.txt': 'x' })
  const env = { ...project.person.env, GIT_DIR: join(project.person.dir, '.git'), GIT_INDEX_FILE: '/nowhere' }
  const report = await check({
    env,
    filesToCreate: ['b.txt'],
    command: 'test "$(git branch --show-current)" = 20241213-fix',
  })
  expect(report.failure).toBeNull()
})
