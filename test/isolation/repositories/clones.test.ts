import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import { aProject, BOXES, expectLanded, STRONGEST } from './whole-run.ts'

const COMMIT = 'commit "$title.txt" x; git log --oneline >/dev/null; git fsck --no-dangling'

for (const level of STRONGEST) {
  test(`${level}: a SHA-256 repository`, () => {
    const repo = aProject(level, COMMIT, { objectFormat: 'sha256' })
    const at = repo.at(repo.dir)
    expectLanded(at, repo, level)
    expect(at.git('rev-parse', 'HEAD')).toHaveLength(64)
    expect(at.git('show', 'main:One.txt')).toBe('x')
  })

  test(`${level}: a shallow clone stays as shallow as it was`, () => {
    const repo = aProject(level, COMMIT)
    repo.commit('second', { 'a.txt': 'a\n' })
    repo.git('clone', '--quiet', '--depth', '1', `file://${repo.dir}`, repo.beside('shallow'))
    const at = repo.at(repo.beside('shallow'))
    const before = readFileSync(join(at.dir, '.git/shallow'), 'utf8')
    expectLanded(at, repo, level)
    expect(at.git('show', 'main:One.txt')).toBe('x')
    expect(readFileSync(join(at.dir, '.git/shallow'), 'utf8')).toBe(before)
  })
}

for (const level of BOXES) {
  test(`${level}: a linked worktree in which the person works`, () => {
    const repo = aProject(level, COMMIT)
    repo.git('worktree', 'add', '-q', '-b', 'feature', repo.beside('linked'))
    const at = repo.at(repo.beside('linked'))
    const main = repo.git('rev-parse', 'main')
    expectLanded(at, repo, level)
    expect(existsSync(join(at.dir, 'One.txt'))).toBe(true)
    expect(at.git('rev-parse', 'main')).toBe(main)
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  test(`${level}: a bare repository with worktrees`, () => {
    const repo = aProject(level, COMMIT)
    const bare = repo.beside('bare.git')
    repo.git('clone', '-q', '--bare', repo.dir, bare)
    repo.git('-C', bare, 'worktree', 'add', '-q', repo.beside('tree'), 'main')
    const at = repo.at(repo.beside('tree'))
    expectLanded(at, repo, level)
    expect(existsSync(join(at.dir, 'One.txt'))).toBe(true)
    expect(repo.at(bare).git('show', 'main:One.txt')).toBe('x')
  })

  test(`${level}: a partial clone: nothing is missing in a run, and doctor says what a box cannot fetch`, () => {
    const look = 'git show HEAD~1:README.md >"$beside/older" 2>&1 || echo failed >>"$beside/older"'
    const repo = aProject(level, `test "$(cat README.md)" = changed; ${look}; commit "$title.txt" x`)
    repo.git('config', 'uploadpack.allowFilter', 'true')
    repo.commit('second', { 'README.md': 'changed\n' })
    repo.git('clone', '--quiet', '--filter=blob:none', `file://${repo.dir}`, repo.beside('partial'))
    const at = repo.at(repo.beside('partial'))
    const missing = () => at.git('rev-list', '--objects', '--all', '--missing=print').match(/^\?/gm)?.length ?? 0
    const before = missing()
    expect(before).toBeGreaterThan(0)
    expectLanded(at, repo, level)
    expect(at.git('show', 'main:One.txt')).toBe('x')
    expect(missing()).toBe(before)
    // The remote is a folder of this machine, which a box hides.
    expect(readFileSync(repo.beside('older'), 'utf8')).toEndWith('from promisor remote\nfailed\n')
    expect(outputOf(at.run(repo.commandLine('doctor')))).toContain(
      'this is a partial clone: in a box, git cannot fetch files of older commits from origin',
    )
    at.git('fetch', '--quiet', '--refetch', '--no-filter', 'origin')
    expect(missing()).toBe(0)
  })
}

if (isHere(TOOLS.reftable))
  for (const level of STRONGEST)
    test(`${level}: a repository whose refs are a reftable`, () => {
      const repo = aProject(level, COMMIT)
      repo.git('clone', '-q', '--ref-format=reftable', repo.dir, repo.beside('tables'))
      const at = repo.at(repo.beside('tables'))
      expect(at.git('rev-parse', '--show-ref-format')).toBe('reftable')
      expectLanded(at, repo, level)
      expect(at.git('show', 'main:One.txt')).toBe('x')
    })
