import { expect, test } from 'bun:test'
import { duringCheckout, FILTERED } from '../support/during-checkout.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { spawnGza } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'

test('after Ctrl-C no agent is called for a run whose worktree was being laid out', async () => {
  const repo = anAgentRepo({}, FILTERED)
  duringCheckout(repo, `kill -INT $gza; until [ -e ${repo.beside('heard')} ]; do sleep 0.02; done; exec cat`)
  for (const title of ['one', 'two', 'three', 'four']) repo.add(title)
  const working = spawnGza(repo, 'work', '--all', '--workers', '4')
  await until(() => working.printed().includes('Stopping when'), 'it has heard the signal')
  repo.write('../heard', '')
  const { code } = await working.ended
  expect([code, working.printed()]).toEqual([1, expect.stringContaining('Task #1 interrupted before it began\n')])
  expect(repo.calls()).toEqual([])
  expect(repo.task('1').runs.map(({ outcome, reason }) => [outcome, reason])).toEqual([['interrupted', 'interrupted']])
  expect(repo.worktrees()).toEqual([])
  repo.gza('work', '--all', '--workers', '4')
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed', four: 'completed' })
})
