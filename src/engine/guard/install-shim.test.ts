import { expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../../../test/support/repo.ts'
import { installShim } from './install-shim.ts'

test('a call reaches the next git with the same words, input, environment and exit code', () => {
  const repo = withShim(aRepo())
  const git = recordingGit(repo)
  const words = ['-c', 'a.b=c d', 'frobnicate', '', '--tasks', "it's", '$HOME', '*', 'a\nb', '--prompt', '-m']
  const env = { ...git.env, dir: 'mine', IFS: ',', name: 'x' }
  const result = repo.run(['git', ...words], { env, stdin: 'two\nlines' })
  expect(result).toEqual({
    code: 7,
    stdout: `${words.map((word) => `<${word}>`).join('')}mine|x|two\nlines`,
    stderr: '',
  })
})

test.each(
  [
    ['log', '--', '--tasks'],
    ['log', '-S', '--tasks'],
    ['log', '--grep', '--tasks', '--', 'x'],
    ['log', '--end-of-options', '--tasks'],
    ['-C', 'log', 'show', '--tasks'],
    ['commit', '-m', '--prompt'],
    ['commit', '-am', '--prompt'],
    ['commit', '--message', '--prompt'],
    ['commit', '--mess', '--prompt'],
    ['commit', '-F', '--prompt', '--', '--prompt', 'y'],
    ['commit', '-m--prompt=x'],
    ['commit', '-Skey', '-uno', '--', '--prompt=x'],
  ].map((words) => [words.join(' '), words] as const),
)('git %s behaves as in git itself', (_call, words) => {
  const repo = withShim(aRepo())
  const result = repo.run(['git', ...words], { env: recordingGit(repo).env })
  expect(result.stdout).toBe(`${words.map((word) => `<${word}>`).join('')}unset|unset|`)
})

test('log --tasks shows the notes that link commits to tasks, among all other arguments', () => {
  const repo = withShim(aRepo())
  repo.commit('first', { 'a.txt': 'x' })
  expect(repo.run(['git', 'log', '--tasks', '--format=%s %N'])).toEqual({ code: 0, stdout: 'first \n', stderr: '' })
  repo.git('notes', '--ref=tasks', 'add', '-m', 'task-a3f8')
  repo.git('notes', 'add', '-m', 'another note')
  expect(repo.git('log', '--tasks', '-1', '--format=%s|%N')).toBe('first|task-a3f8\n')
  expect(repo.git('-C', '.', '--no-pager', 'log', '-n', '1', '--tasks', '--', 'a.txt')).toContain(
    'Notes (tasks):\n    task-a3f8',
  )
  expect(repo.git('log', '-1')).not.toContain('task-a3f8')
})

const TEXT = `Fix "the" bug, don't\n\n  break \`it\` \\n $HOME 100%\n\n# not a comment`

test.each([
  ['--prompt TEXT', ['commit', '--allow-empty', '-m', 'x', '--prompt', TEXT]],
  ['--prompt=TEXT', ['commit', '--allow-empty', `--prompt=${TEXT}`, '-mx']],
  ['before the message', ['commit', '--prompt', TEXT, '--allow-empty', '-q', '-m', 'x']],
  [
    'with options before the subcommand',
    ['-c', 'user.name=A B', '-C', '.', 'commit', '--prompt', TEXT, '--allow-empty', '-m', 'x'],
  ],
  ['with a path', ['commit', '--prompt', TEXT, '-m', 'x', '--', 'a.txt']],
])('commit %s commits, and notes the text unchanged', (_form, words) => {
  const repo = withShim(aRepo())
  const before = repo.commit('first', { 'a.txt': '1' })
  repo.write('a.txt', '2')
  expect(repo.run(['git', ...words])).toMatchObject({ code: 0, stderr: '' })
  expect(repo.git('log', '-1', '--format=%P %s')).toBe(`${before} x`)
  expect(repo.git('notes', '--ref=prompt', 'show', 'HEAD')).toBe(TEXT)
  expect(repo.run(['git', 'notes', '--ref=prompt', 'show', before]).code).toBe(1)
})

test('commit --prompt works from another folder, on the first commit, and in an amend, where the new text replaces the old', () => {
  const repo = withShim(aRepo())
  const elsewhere = join(repo.dir, 'sub dir')
  mkdirSync(elsewhere)
  const commit = ['git', '-C', '..', 'commit', '--allow-empty', '-m', 'x', '--prompt', 'one']
  expect(repo.run(commit, { cwd: elsewhere }).code).toBe(0)
  expect(repo.git('notes', '--ref=prompt', 'show', 'HEAD')).toBe('one')
  expect(repo.run(['git', 'commit', '--amend', '--allow-empty', '--no-edit', '--prompt', 'two']).code).toBe(0)
  expect(repo.git('notes', '--ref=prompt', 'show', 'HEAD')).toBe('two')
  const same = { GIT_COMMITTER_DATE: repo.git('log', '-1', '--format=%cI') }
  const again = repo.run(['git', 'commit', '--amend', '--allow-empty', '--no-edit', '--prompt', 'three'], { env: same })
  expect(again.code).toBe(0)
  expect(repo.git('notes', '--ref=prompt', 'show', 'HEAD')).toBe('three')
})

test('a commit that is refused or a dry run gets no note and keeps its exit code', () => {
  const repo = withShim(aRepo())
  repo.commit('first')
  expect(repo.run(['git', 'commit', '-m', 'nothing to commit', '--prompt', 'x']).code).toBe(1)
  repo.write('new.txt', 'x')
  repo.git('add', '.')
  expect(repo.run(['git', 'commit', '--dry-run', '--prompt', 'x']).code).toBe(0)
  expect(repo.run(['git', 'commit', '--porcelain', '--amend', '--prompt', 'x']).code).toBe(0)
  expect(repo.run(['git', 'commit', '-m', 'x', '--prompt'])).toEqual({
    code: 129,
    stdout: '',
    stderr: "error: option `prompt' requires a value\n",
  })
  expect(repo.run(['git', 'rev-parse', '--verify', '--quiet', 'refs/notes/prompt']).code).toBe(1)
})

test('with --prompt, the message can still be read from stdin', () => {
  const repo = withShim(aRepo())
  expect(repo.run(['git', 'commit', '--allow-empty', '-F', '-', '--prompt', 'p'], { stdin: 'from stdin\n' }).code).toBe(
    0,
  )
  expect(repo.git('log', '-1', '--format=%s')).toBe('from stdin')
})

test('shims do not call each other, even if they are installed twice, linked, or copied', () => {
  const repo = withShim(withShim(aRepo(), 'one'), 'two')
  const linked = join(repo.dir, '../linked')
  mkdirSync(linked)
  symlinkSync(join(repo.dir, '../two/git'), join(linked, 'git'))
  const copied = join(repo.dir, '../copied')
  mkdirSync(copied)
  copyFileSync(join(repo.dir, '../two/git'), join(copied, 'git'))
  chmodSync(join(copied, 'git'), 0o755)
  const version = repo.git('--version')
  expect(withPath(repo, linked).git('--version')).toBe(version)
  expect(withPath(repo, copied).git('--version')).toBe(version)
})

test('a missing git is reported, and the search ends', () => {
  const repo = withShim(aRepo())
  const only = repo.env.PATH!.split(':')[0]
  expect(repo.run(['/bin/sh', '-c', 'git status'], { env: { PATH: only } })).toEqual({
    code: 127,
    stdout: '',
    stderr: 'gza: no git on PATH besides the shim\n',
  })
})

test('passing a call on needs no program except git', () => {
  const repo = withShim(aRepo())
  const PATH = `${repo.env.PATH!.split(':')[0]}:${join(repo.dir, '../record')}`
  recordingGit(repo)
  expect(repo.run(['git', 'log', '--tasks'], { env: { PATH } }).stdout).toBe(
    '<log><--notes=refs/notes/task[s]>unset|unset|',
  )
})

test('installing again changes nothing, and repairs what was changed', () => {
  const repo = aRepo()
  const folder = join(repo.dir, '../shim')
  installShim(folder)
  const { ino } = statSync(join(folder, 'git'))
  installShim(folder)
  expect(statSync(join(folder, 'git')).ino).toBe(ino)
  const text = readFileSync(join(folder, 'git'), 'utf8')
  writeFileSync(join(folder, 'git'), 'echo broken')
  installShim(folder)
  expect(readFileSync(join(folder, 'git'), 'utf8')).toBe(text)
})

function withShim(repo: Repo, name = 'shim'): Repo {
  const folder = join(repo.dir, '..', name)
  installShim(folder)
  return withPath(repo, folder)
}

function withPath(repo: Repo, folder: string): Repo {
  return repo.withEnv({ PATH: `${folder}:${repo.env.PATH}` })
}

/** A git later on PATH that prints what it received, with shell builtins only. */
function recordingGit(repo: Repo): Repo {
  const folder = join(repo.dir, '../record')
  mkdirSync(folder, { recursive: true })
  const copy = 'while read -r line; do printf "%s\\n" "$line"; done; printf %s "$line"'
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\nprintf '<%s>' "$@"\nprintf '%s|' "\${dir-unset}" "\${name-unset}"\n${copy}\nexit 7\n`,
  )
  chmodSync(join(folder, 'git'), 0o755)
  const [shim, ...rest] = repo.env.PATH!.split(':')
  return repo.withEnv({ PATH: [shim, folder, ...rest].join(':') })
}
