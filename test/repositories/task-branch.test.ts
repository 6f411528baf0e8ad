import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('on a branch that a task was given, commands use the ledger of that task', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.write('tasks.jsonl', `${JSON.stringify({ content: 'Do it', branch: '20260129-do-it' })}\n`)
  repo.gza('import', 'tasks.jsonl')
  const worktree = repo.worktree('20260129-do-it')
  expect(worktree.gza('done', '1').stdout).toBe('✓ Task #1 completed\n')
  expect(JSON.parse(repo.gza('show', '1', '--json').stdout)).toMatchObject({ status: 'completed', ledger: 'main' })
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks')).toBe('refs/tasks/main')
  worktree.git('switch', '--quiet', '--create', 'other')
  expect(worktree.gza('add', 'Its own').code).toBe(0)
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks')).toBe('refs/tasks/main\nrefs/tasks/other')
})
