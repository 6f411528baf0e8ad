import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { aProject, expectLanded, STRONGEST } from './whole-run.ts'

/** husky itself, as files of the project: a box does not show this checkout where it is in /tmp. */
const HUSKY = Object.fromEntries(
  ['bin.js', 'index.js', 'husky', 'package.json'].map((name) => [
    `tools/husky/${name}`,
    readFileSync(join(import.meta.dir, '../../../node_modules/husky', name), 'utf8'),
  ]),
)
const INSTALL_HUSKY = 'node tools/husky/bin.js'

/** A hook that shows that it ran, and where: it adds a file to the commit. */
const MARK = 'echo ran >hooked.txt && git add hooked.txt'

for (const level of STRONGEST) {
  test(`${level}: husky: its hooks run for the agent’s commit, and the person’s settings stay`, () => {
    const setup = INSTALL_HUSKY
    const repo = aProject(level, 'commit "$title.txt" x', {
      files: { ...HUSKY, '.husky/pre-commit': `${MARK}\n` },
      config: { worktree: { setup }, verify: { command: 'test ! -e One.txt || test -e hooked.txt' } },
    })
    const at = repo.at(repo.dir)
    at.run(['sh', '-c', setup])
    expect(at.git('config', 'core.hooksPath')).toBe('.husky/_')
    expectLanded(at, repo, level)
    expect(at.git('show', 'main:hooked.txt')).toBe('ran')
    expect(at.git('config', 'core.hooksPath')).toBe('.husky/_')
  })

  test(`${level}: husky that only the set-up installs changes nothing of the person’s`, () => {
    const repo = aProject(level, 'commit "$title.txt" x', {
      files: { ...HUSKY, '.husky/pre-commit': `${MARK}\n` },
      config: { worktree: { setup: INSTALL_HUSKY } },
    })
    const at = repo.at(repo.dir)
    expectLanded(at, repo, level)
    expect(at.run(['git', 'config', 'core.hooksPath']).stdout).toBe('')
    expect(existsSync(join(at.dir, '.husky/_'))).toBe(false)
  })

  if (isHere(TOOLS.preCommit))
    test(`${level}: pre-commit: its hooks run for the agent’s commit`, () => {
      const hook = { id: 'mark', name: 'mark', language: 'system', entry: `sh -c '${MARK}'`, pass_filenames: false }
      const repo = aProject(level, 'commit "$title.txt" x; git log -1 --format=%s >"$beside/subject"', {
        files: { '.pre-commit-config.yaml': JSON.stringify({ repos: [{ repo: 'local', hooks: [hook] }] }) },
      })
      const at = repo.at(repo.dir)
      expect(at.run(['pre-commit', 'install']).code).toBe(0)
      expectLanded(at, repo, level)
      expect(at.git('show', 'main:hooked.txt')).toBe('ran')
    })
}
