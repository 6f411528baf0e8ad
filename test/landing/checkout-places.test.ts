import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import type { Result } from '../support/run-process.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { done } from './finished-tasks.ts'

/** Lays the repository out in another way. Returns the checkout of main. */
const LAYOUTS: Record<string, (repo: AgentRepo) => string> = {
  'a repository whose git folder is elsewhere': (repo) => {
    repo.git('init', '--quiet', `--separate-git-dir=${repo.beside('apart')}`)
    return repo.dir
  },
  'a submodule': (repo) => {
    const outer = repo.beside('outer')
    repo.git('init', '--quiet', outer)
    renameSync(repo.dir, join(outer, 'sub'))
    const inOuter = (...args: string[]) => outputOf(repo.run(['git', ...args], { cwd: outer }))
    inOuter('submodule', 'add', '--quiet', './sub', 'sub')
    inOuter('submodule', 'absorbgitdirs')
    return join(outer, 'sub')
  },
  'a bare repository with worktrees': (repo) => {
    const project = repo.beside('project')
    mkdirSync(project)
    renameSync(join(repo.dir, '.git'), join(project, '.git'))
    const inProject = (...args: string[]) => outputOf(repo.run(['git', ...args], { cwd: project }))
    inProject('config', 'core.bare', 'true')
    inProject('worktree', 'add', '--quiet', 'trunk', 'main')
    return join(project, 'trunk')
  },
}

for (const [name, layOut] of Object.entries(LAYOUTS)) {
  test(`work lands in ${name}, and the checkout follows`, () => {
    const repo = done(['one'])
    const checkout = layOut(repo)
    expect(outputOf(repo.run(['gza', 'merge', '1'], { cwd: checkout }))).toContain('Task #1 landed on main')
    expect(existsSync(join(checkout, 'one.txt'))).toBe(true)
    expect(outputOf(repo.run(['git', 'status', '--porcelain', '--untracked-files=no'], { cwd: checkout }))).toBe('')
  })
}

test('from a linked worktree the checkout of a git folder elsewhere is not known, and the landing says where to go', () => {
  const repo = done(['one'])
  repo.git('init', '--quiet', `--separate-git-dir=${repo.beside('apart')}`)
  repo.git('worktree', 'add', '--quiet', '-b', 'side', repo.beside('side'))
  const { code, stdout } = repo.run(['gza', 'merge', '1', '--branch', 'main'], { cwd: repo.beside('side') })
  expect([code, stdout]).toEqual([1, expect.stringContaining('land from that checkout')])
  outputOf(repo.gza('merge', '1'))
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a locked worktree of the base that is not there now is waited for', () => {
  const repo = done(['one'])
  const path = linked(repo)
  repo.git('worktree', 'lock', path)
  renameSync(path, `${path}-unplugged`)
  const { code, stdout } = mergeFrom(repo)
  expect([code, stdout]).toEqual([1, expect.stringContaining(`${path} is a locked worktree whose folder is missing`)])
  renameSync(`${path}-unplugged`, path)
  outputOf(mergeFrom(repo))
  expect([existsSync(join(path, 'one.txt')), repo.git('-C', path, 'status', '--porcelain')]).toEqual([true, ''])
})

test('a worktree of the base that was deleted by hand keeps nothing waiting, whatever is at its place now', () => {
  const repo = done(['one'])
  const path = linked(repo)
  rmSync(path, { recursive: true })
  mkdirSync(path)
  outputOf(mergeFrom(repo))
  expect(repo.git('show', 'main:one.txt')).toStartWith('one')
})

/** A worktree of main, while the repository's own checkout is on another branch. */
function linked(repo: AgentRepo): string {
  repo.git('checkout', '--quiet', '-b', 'personal')
  repo.git('worktree', 'add', '--quiet', repo.beside('linked'), 'main')
  return repo.beside('linked')
}

function mergeFrom(repo: AgentRepo): Result {
  return repo.gza('merge', '1', '--branch', 'main')
}
