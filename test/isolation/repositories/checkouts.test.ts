import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { aProject, expectLanded, STRONGEST } from './whole-run.ts'

const FILES = { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' }
const CHANGE = 'commit in/a.txt changed; test "$(git status --porcelain)" = ""'

for (const level of STRONGEST) {
  for (const mode of ['--cone', '--no-cone'])
    test(`${level}: a sparse checkout (${mode}) stays sparse, and what is left out of it stays in the base`, () => {
      const repo = aProject(level, CHANGE, { files: FILES })
      const at = repo.at(repo.dir)
      at.git('sparse-checkout', 'set', mode, ...(mode === '--cone' ? ['in'] : ['/*', '!/out/']))
      expect(existsSync(join(at.dir, 'out/b.txt'))).toBe(false)
      expectLanded(at, repo, level)
      expect(at.git('show', 'main:in/a.txt')).toBe('changed')
      expect(at.git('show', 'main:out/b.txt')).toBe('b')
      expect(existsSync(join(at.dir, 'out/b.txt'))).toBe(false)
      expect(at.git('ls-files', '-t', 'out/b.txt')).toBe('S out/b.txt')
    })

  test(`${level}: a split index`, () => {
    const repo = aProject(level, CHANGE, { files: FILES })
    const at = repo.at(repo.dir)
    at.git('config', 'core.splitIndex', 'true')
    at.git('update-index', '--split-index')
    expect(readdirSync(join(at.dir, '.git')).filter((name) => name.startsWith('sharedindex.'))).not.toEqual([])
    expectLanded(at, repo, level)
    expect(at.git('show', 'main:in/a.txt')).toBe('changed')
  })
}
