import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { underGuard } from './guarded-repo.ts'

test('secrets and the runtime’s own switches are taken away, a model’s key stays', () => {
  const env = guardedEnv(
    aRepo().withEnv({
      GITHUB_TOKEN: 'a',
      LINEAR_API_KEY: 'b',
      DATABASE_URL: 'c',
      PGPASSWORD: 'd',
      SSH_AUTH_SOCK: '/e',
      BUN_OPTIONS: '--smol',
      GZA_TRUST: '1',
      ANTHROPIC_API_KEY: 'f',
    }),
  )
  const names = [
    'GITHUB_TOKEN',
    'LINEAR_API_KEY',
    'DATABASE_URL',
    'PGPASSWORD',
    'SSH_AUTH_SOCK',
    'BUN_OPTIONS',
    'GZA_TRUST',
  ]
  for (const name of names) expect(env[name]).toBeUndefined()
  expect(env.ANTHROPIC_API_KEY).toBe('f')
})

test('the command acts as an agent of the name that was set, or of its client, in a run that can be found', () => {
  expect(guardedEnv(aRepo())).toMatchObject({
    GZA_AGENT: 'agent',
    GZA_RUN: expect.stringMatching(/^guard-/),
    GZA_GUARD: '1',
  })
  expect(guardedEnv(aRepo().withEnv({ ZAGI_AGENT: 'zoe', GZA_RUN: 'r1' }))).toMatchObject({
    GZA_AGENT: 'zoe',
    GZA_RUN: 'r1',
  })
  const repo = aRepo()
  const client = repo.write('bin/codex', '#!/bin/sh\necho $GZA_AGENT\n')
  repo.run(['chmod', '+x', client])
  expect(repo.gza('guard', '--', client).stdout).toBe('codex\n')
})

test('the person’s identity goes along, for shells that hide the configuration', () => {
  const repo = aRepo()
  const script = 'GIT_CONFIG_GLOBAL=/dev/null git commit -q --allow-empty -m x && git log -1 --format="%an <%ae> %cn"'
  expect(underGuard(repo, script)).toEqual({ code: 0, stdout: 'Test <test@example.com> Test\n', stderr: '' })
  expect(guardedEnv(repo.withEnv({ GIT_AUTHOR_NAME: 'Ada' }))).toMatchObject({
    GIT_AUTHOR_NAME: 'Ada',
    GIT_COMMITTER_NAME: 'Test',
  })
})

test('settings that came through the environment stay, however they came', () => {
  const repo = aRepo().withEnv({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.first', GIT_CONFIG_VALUE_0: 'two\nlines' })
  const script =
    'git config a.first; git config a.second; git config --type=bool a.third; git config --list | sed -n s/^core.hookspath=//p'
  const call = [
    'git',
    '-c',
    'a.second=2',
    '-c',
    'a.third',
    '-c',
    'core.hooksPath=/elsewhere',
    'tasks',
    'guard',
    '--',
    'sh',
    '-c',
    script,
  ]
  const result = repo.run(call)
  const hooks = join(repo.dir, '.git/gza/guard/hooks')
  expect(result).toMatchObject({ code: 0, stdout: `two\nlines\n2\ntrue\n${hooks}\n` })
})

test('a guard within a guard is one guard', () => {
  const repo = aRepo()
  const once = guardedEnv(repo)
  const twice = parseEnv(repo.gza('guard', '--', 'gza', 'guard', '--', 'env').stdout)
  const own = { GZA_RUN: '', GZA_KEPT_BRANCHES: '', SHLVL: '', _: '' }
  expect({ ...twice, ...own }).toEqual({ ...once, ...own })
})

test('credential helpers, askpass programs and headers with tokens are forgotten', () => {
  const repo = aRepo().withEnv({ GIT_ASKPASS: '/bin/echo' })
  const helper = '!f() { echo username=me; echo password=secret; }; f'
  repo.git('config', 'credential.helper', helper)
  repo.git('config', 'credential.https://example.com.helper', helper)
  repo.git('config', 'core.askPass', '/bin/echo')
  repo.git('config', 'http.https://example.com/.extraHeader', 'AUTHORIZATION: basic c2VjcmV0')
  const ask = 'printf "protocol=https\\nhost=example.com\\n\\n" | git credential fill'
  expect(repo.run(['sh', '-c', ask]).stdout).toContain('password=secret')
  expect(underGuard(repo, ask)).toMatchObject({
    code: 128,
    stdout: '',
    stderr: expect.stringContaining('prompts disabled'),
  })
  const header = 'git config --get-urlmatch http.extraHeader https://example.com/x'
  expect(repo.run(['sh', '-c', header]).stdout).toContain('basic')
  expect(underGuard(repo, header).stdout).toBe('\n')
})

test('the shim is first on PATH, gza and git-tasks are beside it, and `git tasks` works where PATH was reset', () => {
  const repo = aRepo()
  repo.commit('first', { 'sub/a.txt': 'x' })
  const bin = join(repo.dir, '.git/gza/guard/bin')
  expect(underGuard(repo, 'command -v git; command -v gza; command -v git-tasks').stdout).toBe(
    `${bin}/git\n${bin}/gza\n${bin}/git-tasks\n`,
  )
  const worktree = repo.worktree('feature')
  mkdirSync(join(worktree.dir, 'deep'))
  worktree.write('deep/tasks.md', '- [ ] From a file\n')
  const script = 'PATH=/usr/local/bin:/usr/bin:/bin; cd deep; git tasks import tasks.md && git tasks list'
  expect(underGuard(worktree, script)).toMatchObject({ code: 0, stdout: expect.stringContaining('From a file') })
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks')).toBe('refs/tasks/feature')
})

function guardedEnv(repo: Repo): Record<string, string> {
  return parseEnv(repo.gza('guard', '--', 'env').stdout)
}

function parseEnv(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(/\n(?=[A-Z_a-z0-9]+=)/)
      .map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1).trimEnd()]),
  )
}
