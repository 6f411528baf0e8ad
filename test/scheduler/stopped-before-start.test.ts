import { expect, test } from 'bun:test'
import { FILTERED, whileLaidOut } from '../support/during-checkout.ts'
import { aStage } from '../support/scripted-agent.ts'

test('after Ctrl-C no agent is called for a run whose work tree was being laid out', () => {
  const stage = aStage({}, FILTERED)
  whileLaidOut(stage, 'kill -INT $gza; exec cat')
  for (const title of ['one', 'two', 'three', 'four']) stage.add(title)
  const { code, stdout } = stage.gza('work', '--all', '--workers', '4')
  expect([code, stdout]).toEqual([1, expect.stringContaining('Task #1 interrupted before it began\n')])
  expect(stage.calls()).toEqual([])
  expect(stage.task('1').runs.map(({ outcome, reason }) => [outcome, reason])).toEqual([['interrupted', 'interrupted']])
  expect(stage.worktrees()).toEqual([])
  stage.gza('work', '--all', '--workers', '4')
  expect(stage.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed', four: 'completed' })
})
