import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHere, TOOLS, type Tool } from '../../scripts/install-tools.ts'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const ROOT = join(import.meta.dir, '../..')
const RECORDED = join(ROOT, 'test/fixtures/installers')

/**
 * What project set-ups do to a repository, on every machine. husky is the real one. The files of the others were recorded
 * from lefthook 2.2.2, pre-commit 4.6.2 and git-lfs 3.3.0, and are written here as these write them.
 */
const INSTALL = [
  `node ${join(dirname(Bun.fileURLToPath(import.meta.resolve('husky'))), 'bin.js')} || exit 9`,
  'test "$(git config core.hooksPath)" = .husky/_ || exit 8',
  'git config --unset core.hooksPath',
  'hooks=$(git rev-parse --git-path hooks)',
  ...['lefthook', 'pre-commit', 'git-lfs'].map(
    (tool) => `cp ${join(RECORDED, tool)}/* "$hooks" && chmod +x "$hooks"/*`,
  ),
  'git config --local filter.lfs.clean "git-lfs clean -- %f"',
  'git config --local filter.lfs.smudge "git-lfs smudge -- %f"',
  'git config --local filter.lfs.process "git-lfs filter-process"',
  'git config --local filter.lfs.required true',
  'git config core.hooksPath .husky/_',
  'rm -rf .husky',
].join('\n')

function stateOf(repo: AgentRepo): unknown {
  const hooks = readdirSync(join(repo.dir, '.git/hooks')).filter((name) => !name.endsWith('.sample'))
  return {
    hooks,
    settings: repo
      .git('config', '--list')
      .split('\n')
      .filter((line) => /^(filter|core.hooks)/.test(line)),
  }
}

function logged(repo: AgentRepo): string {
  const folder = join(repo.dir, '.gza/logs')
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
}

test.each([
  ['a check', {}, INSTALL],
  ['the agent’s own install step', { else: `commit "$title.txt" "$title"\n${INSTALL}` }, 'true'],
])('hooks and filters that %s installs are put back with a line in the log, and all work lands', (_, acts, command) => {
  const repo = anUnboxedRepo(acts, { config: { land: 'merge', verify: { command } } })
  const before = stateOf(repo)
  repo.add('one')
  repo.gza('work')
  expect(stateOf(repo)).toEqual(before)
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [{ outcome: 'completed' }], notes: [] })
  expect(repo.task('1').landings).toMatchObject([{ outcome: 'landed' }])
  expect(repo.inbox()).toEqual([])
  expect(logged(repo)).toContain('core.hookspath in .git/config was added; it is as before')
  expect(logged(repo)).toContain('.git/hooks/pre-commit was added; it is as before')
})

/** Where the programs are, they install by themselves: each asks git in its own way where hooks belong. */
const THEMSELVES: [tool: Tool, install: string, hook: string][] = [
  [TOOLS.lfs, 'git lfs install --local', 'pre-push'],
  [TOOLS.preCommit, "printf 'repos: []\\n' >.pre-commit-config.yaml && pre-commit install", 'pre-commit'],
]

for (const [, install, hook] of THEMSELVES.filter(([tool]) => isHere(tool)))
  test(`${install.replace(/.*&& /, '')} works in a set-up, and what it installs is put back`, () => {
    const config = { land: 'merge', worktree: { setup: install }, verify: { command: install } }
    const repo = anUnboxedRepo({}, { config })
    const before = stateOf(repo)
    repo.add('one')
    repo.gza('work')
    expect(repo.task('1')).toMatchObject({ status: 'completed', landings: [{ outcome: 'landed' }] })
    expect(stateOf(repo)).toEqual(before)
    expect(repo.inbox()).toEqual([])
    expect(logged(repo)).toContain(`.git/hooks/${hook} was added; it is as before`)
  })
