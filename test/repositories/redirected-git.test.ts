import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('an agent commits in its own worktree although gza was directed to the repository by GIT_DIR', () => {
  const repo = anAgentRepo({ one: 'save one.txt x; git add -A; git commit -qm "one by the agent"' })
  repo.add('one')
  repo.write('mine.txt', 'mine\n')
  const before = repo.git('rev-parse', 'main')
  const [git, top] = [join(repo.dir, '.git'), repo.dir]
  outputOf(repo.run(['git', `--git-dir=${git}`, `--work-tree=${top}`, 'tasks', 'work'], { cwd: '/' }))
  expect(repo.git('log', '--format=%s', `main..${repo.task('1').branch}`)).toBe('one by the agent')
  expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([before, '?? mine.txt'])
})

test('gza work in a hook, where git has set GIT_INDEX_FILE, leaves the commit alone', () => {
  const repo = anAgentRepo({ one: 'save one.txt x; git add -A; git commit -qm "one by the agent"' })
  repo.add('one')
  const hook = repo.write('.git/hooks/pre-commit', '#!/bin/sh\ntest -n "$GZA_AGENT" || gza work >/dev/null 2>&1\n')
  repo.run(['chmod', '+x', hook])
  repo.commit('by the person', { 'mine.txt': 'mine\n' })
  expect(repo.git('show', '--format=%s', '--name-only', 'main')).toBe('by the person\n\nmine.txt')
  expect(repo.git('log', '--format=%s', `main..${repo.task('1').branch}`)).toBe('one by the agent')
})
