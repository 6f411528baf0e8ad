import { expect, test } from 'bun:test'
import { aStage } from '../support/scripted-agent.ts'

test('predecessors whose work clashes are named by the branch, and the task waits for a person', () => {
  const stage = aStage({ else: 'commit same.txt "$title"' }, { defaults: { max_attempts: 1 } })
  for (const title of ['one', 'two']) stage.add(title)
  stage.add('both', '--after', '1', '--after', '2')
  const { code, stdout } = stage.gza('work', '--all')
  const { branch } = stage.task('2')
  expect([code, stdout]).toEqual([1, expect.stringContaining(`the work of ${branch} conflicts in same.txt\n`)])
  expect(stage.inbox()[0]).toMatchObject({ code: 'CONFLICT', task: { number: 3 } })
  expect(stage.worktrees()).toEqual([])
})
