import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('predecessors whose work clashes are named by the branch, and the task waits for a person', () => {
  const repo = anAgentRepo({ else: 'commit same.txt "$title"' }, { defaults: { max_attempts: 1 } })
  for (const title of ['one', 'two']) repo.add(title)
  repo.add('both', '--after', '1', '--after', '2')
  const { code, stdout } = repo.gza('work', '--all')
  const { branch } = repo.task('2')
  expect([code, stdout]).toEqual([1, expect.stringContaining(`the work of ${branch} conflicts in same.txt\n`)])
  expect(repo.inbox()[0]).toMatchObject({ code: 'CONFLICT', task: { number: 3 } })
  expect(repo.worktrees()).toEqual([])
})
