import { expect, test } from 'bun:test'
import { duringCheckout, FILTERED } from '../support/during-checkout.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('after Ctrl-C no agent is called for a run whose worktree was being laid out', () => {
  const repo = anAgentRepo({}, FILTERED)
  duringCheckout(repo, 'kill -INT $gza; exec cat')
  for (const title of ['one', 'two', 'three', 'four']) repo.add(title)
  const { code, stdout } = repo.gza('work', '--all', '--workers', '4')
  expect([code, stdout]).toEqual([1, expect.stringContaining('Task #1 interrupted before it began\n')])
  expect(repo.calls()).toEqual([])
  expect(repo.task('1').runs.map(({ outcome, reason }) => [outcome, reason])).toEqual([['interrupted', 'interrupted']])
  expect(repo.worktrees()).toEqual([])
  repo.gza('work', '--all', '--workers', '4')
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed', four: 'completed' })
})
