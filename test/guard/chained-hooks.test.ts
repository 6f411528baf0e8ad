import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { LEDGER, REAL_GIT, underGuard, writeHook } from './guarded-repo.ts'

test('the repository’s own hooks run under the guard, with their arguments and input', () => {
  const repo = withOrigin()
  const hooks = join(repo.dir, '.git/hooks')
  const log = join(repo.dir, '../log')
  for (const name of [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'post-rewrite',
    'reference-transaction',
  ]) {
    writeHook(join(hooks, name), `echo "${name} $# $1" >> ${log}; cat >> ${log}`)
  }
  const script =
    'git commit -q --allow-empty -m second && git checkout -q -b topic && git commit -q --amend --allow-empty -m third'
  repo.run(['sh', '-c', script])
  const unguarded = readFileSync(log, 'utf8')
  const again = withOrigin()
  for (const name of [
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-checkout',
    'post-rewrite',
    'reference-transaction',
  ]) {
    writeHook(join(again.dir, '.git/hooks', name), `echo "${name} $# $1" >> ${log}2; cat >> ${log}2`)
  }
  expect(underGuard(again, script)).toMatchObject({ code: 0, stderr: '' })
  expect(hideIds(readFileSync(`${log}2`, 'utf8'))).toBe(hideIds(unguarded))
  expect(unguarded).toContain('post-rewrite 1 amend')
})

test('a hook that refuses refuses, with its own exit code where git passes it on', () => {
  const repo = withOrigin()
  writeHook(join(repo.dir, '.git/hooks/pre-commit'), 'echo no >&2; exit 3')
  expect(underGuard(repo, 'git commit -q --allow-empty -m x')).toMatchObject({ code: 1, stderr: 'no\n' })
  expect(underGuard(repo, 'git hook run pre-commit').code).toBe(3)
})

test('core.hooksPath, relative or in the home, is what is chained to', () => {
  const repo = withOrigin()
  const log = join(repo.dir, '../log')
  writeHook(join(repo.dir, 'tools/hooks/pre-commit'), `echo tools >> ${log}`)
  writeHook(join(repo.env.HOME!, 'hooks/pre-commit'), `echo home >> ${log}`)
  writeHook(join(repo.dir, '.git/hooks/pre-commit'), `echo plain >> ${log}`)
  for (const path of ['tools/hooks', '~/hooks']) {
    repo.git('config', 'core.hooksPath', path)
    expect(underGuard(repo, 'git commit -q --allow-empty -m x').code).toBe(0)
  }
  repo.git('config', '--unset', 'core.hooksPath')
  const env = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: join(repo.dir, 'tools/hooks'),
  }
  expect(underGuard(repo.withEnv(env), 'git commit -q --allow-empty -m x').code).toBe(0)
  expect(underGuard(repo, 'git commit -q --allow-empty -m x').code).toBe(0)
  expect(readFileSync(log, 'utf8')).toBe('tools\nhome\ntools\nplain\n')
})

test('another repository that the agent works in has its own hooks run, and its refs guarded', () => {
  const repo = withOrigin()
  const other = withOrigin()
  const log = join(other.dir, '../log')
  writeHook(join(other.dir, '.git/hooks/post-commit'), `echo other >> ${log}`)
  expect(underGuard(repo, `cd ${other.dir} && git commit -q --allow-empty -m x`).code).toBe(0)
  expect(readFileSync(log, 'utf8')).toBe('other\n')
  expect(underGuard(repo, `cd ${other.dir} && $GIT update-ref ${LEDGER} HEAD`).code).toBe(128)
})

test('the user’s configuration and hooks are as they were', () => {
  const repo = withOrigin()
  const before = [repo.git('config', '--list', '--local'), repo.run(['ls', '.git/hooks']).stdout]
  expect(underGuard(repo, 'git commit -q --allow-empty -m x').code).toBe(0)
  expect([repo.git('config', '--list', '--local'), repo.run(['ls', '.git/hooks']).stdout]).toEqual(before)
})

test('where gza is gone, ledgers stay shut and the rest works', () => {
  const repo = withOrigin()
  const hook = '.git/gza/guard/hook'
  const script = `sed -i "s|^gza=.*|gza=/nowhere|" ${hook}; git commit -q --allow-empty -m x && ${REAL_GIT} update-ref ${LEDGER} HEAD`
  expect(underGuard(repo, script)).toMatchObject({ code: 128, stderr: expect.stringContaining('/nowhere') })
  expect(repo.git('log', '-1', '--format=%s')).toBe('x')
  expect(underGuard(repo, 'true').code).toBe(0)
  expect(readFileSync(join(repo.dir, hook), 'utf8')).not.toContain('/nowhere')
})

function withOrigin(): Repo {
  const repo = aRepo()
  repo.commit('first')
  return repo
}

function hideIds(text: string): string {
  return text.replace(/[0-9a-f]{40}/g, 'ID').replace(/\S*COMMIT_EDITMSG/g, 'MSG')
}
