import { expect, test } from 'bun:test'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

/** 1.2 and 0.6 seconds. */
const IMPATIENT = { max_attempts: 1, timeout_minutes: 0.02, stall_minutes: 0.01 }

test('an agent that never ends is ended at its time limit, its work is kept, and the others continue', () => {
  const repo = anAgentRepo(
    { hanger: 'save half.txt half; while :; do echo still here; sleep 0.2; done' },
    { defaults: { ...IMPATIENT, stall_minutes: 5 } },
  )
  repo.add('hanger')
  repo.add('honest')
  repo.gza('work', '--all', '--workers', '2')
  expect(repo.statuses()).toEqual({ hanger: 'failed', honest: 'completed' })
  expect(repo.task('1').runs).toMatchObject([{ reason: 'timed-out' }])
  expect(repo.git('show', `${repo.task('1').branch}:half.txt`)).toBe('half')
  expect(repo.survivors()).toEqual([])
  expect(repo.worktrees()).toEqual([])
})

test('one that falls silent is ended as stalled, whatever it does about signals', () => {
  const repo = anAgentRepo({ hanger: "trap '' TERM INT HUP; echo hello; forever" }, { defaults: IMPATIENT })
  repo.add('hanger')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'stalled' }])
  expect(repo.survivors()).toEqual([])
})

test('a client that hangs after its result has given its result', () => {
  const repo = withClaude({ hanger: 'commit a.txt a; result done; forever' }, { defaults: { timeout_minutes: 1 } })
  repo.add('hanger')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.statuses()).toEqual({ hanger: 'completed' })
  expect(repo.survivors()).toEqual([])
})

test('a client that ends without a result has failed, whatever its exit code', () => {
  const repo = withClaude({ quitter: 'commit a.txt a; exit 0' }, { defaults: IMPATIENT })
  repo.add('quitter')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'agent-error', detail: expect.stringContaining('result') }])
  expect(repo.git('show', `${repo.task('1').branch}:a.txt`)).toBe('a')
})

test('a check that hangs is ended too', () => {
  const repo = anAgentRepo(
    { hanger: 'commit a.txt a' },
    { defaults: IMPATIENT, config: { verify: { command: 'tail -f gza.yaml', timeout_minutes: 0.02 } } },
  )
  repo.add('hanger')
  repo.gza('work', '--no-base-check')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'verify-failed', detail: expect.stringContaining('not ended') }])
  expect(repo.survivors()).toEqual([])
})
