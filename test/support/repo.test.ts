import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from './repo.ts'

test('a repository has an identity and a branch of its own, whatever the machine has configured', () => {
  const repo = aRepo()
  const commit = repo.commit('first', { 'a/b.txt': 'hello\n' })
  expect(repo.git('log', '-1', '--format=%H %an <%ae> %s')).toBe(`${commit} Test <test@example.com> first`)
  expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
  expect(repo.git('show', 'HEAD:a/b.txt')).toBe('hello')
})

test('SHA-256 and bare repositories are one option away', () => {
  expect(aRepo({ objectFormat: 'sha256' }).commit('first')).toMatch(/^[0-9a-f]{64}$/)
  expect(aRepo({ bare: true }).git('rev-parse', '--is-bare-repository')).toBe('true')
})

test('a clone pushes to the repository it came from, and a worktree shares its refs', () => {
  const origin = aRepo({ bare: true })
  const first = origin.clone()
  const commit = first.commit('first')
  first.git('push', '--quiet', 'origin', 'main')
  expect(origin.clone().git('rev-parse', 'HEAD')).toBe(commit)
  const worktree = first.worktree('feature')
  expect(worktree.commit('second')).toBe(first.git('rev-parse', 'feature'))
})

test('a run gives code, output and errors, and takes stdin, environment and folder', async () => {
  const repo = aRepo({ env: { COLOUR: 'red' } })
  const script = ['sh', '-c', 'cat; echo "$COLOUR $SIZE"; echo oops >&2; exit 3']
  const expected = { code: 3, stdout: 'in\nred big\n', stderr: 'oops\n' }
  expect(repo.run(script, { stdin: 'in\n', env: { SIZE: 'big' } })).toEqual(expected)
  expect(await repo.withEnv({ SIZE: 'big' }).start(script, { stdin: 'in\n' })).toEqual(expected)
  expect(repo.run(['sh', '-c', 'echo $HOME; pwd'], { cwd: '/' }).stdout).toBe(`${repo.env.HOME}\n/\n`)
  expect(repo.run(['sh', '-c', 'kill -TERM $$']).code).toBe(143)
})

test('no marker of an agent and no git variable reaches a command', () => {
  const names = aRepo()
    .run(['env'])
    .stdout.split('\n')
    .map((line) => line.split('=', 1)[0])
  expect(names.filter((name) => /AGENT|CLAUDE|CODEX|^GZA|^GIT_(DIR|AUTHOR|COMMITTER)/.test(name ?? ''))).toEqual([])
})

test('remove takes the repository, its clones and its home away', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.clone()
  repo.remove()
  expect(existsSync(join(repo.dir, '..'))).toBe(false)
})
