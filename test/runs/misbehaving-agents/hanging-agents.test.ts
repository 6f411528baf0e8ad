import { expect, test } from 'bun:test'
import { aStage } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

/** 1.2 and 0.6 seconds. */
const IMPATIENT = { max_attempts: 1, timeout_minutes: 0.02, stall_minutes: 0.01 }

test('one that never ends is ended at its time limit, its work kept, and the others go on', () => {
  const stage = aStage(
    { hanger: 'save half.txt half; while :; do echo still here; sleep 0.2; done' },
    { defaults: { ...IMPATIENT, stall_minutes: 5 } },
  )
  stage.add('hanger')
  stage.add('honest')
  stage.gza('work', '--all', '--workers', '2')
  expect(stage.statuses()).toEqual({ hanger: 'failed', honest: 'completed' })
  expect(stage.task('1').runs).toMatchObject([{ reason: 'timed-out' }])
  expect(stage.git('show', `${stage.task('1').branch}:half.txt`)).toBe('half')
  expect(stage.survivors()).toEqual([])
  expect(stage.worktrees()).toEqual([])
})

test('one that falls silent is ended as stalled, whatever it does about signals', () => {
  const stage = aStage({ hanger: "trap '' TERM INT HUP; echo hello; forever" }, { defaults: IMPATIENT })
  stage.add('hanger')
  stage.gza('work')
  expect(stage.task('1').runs).toMatchObject([{ reason: 'stalled' }])
  expect(stage.survivors()).toEqual([])
})

test('a client that hangs after its result has given its result', () => {
  const stage = withClaude({ hanger: 'commit a.txt a; result done; forever' }, { defaults: { timeout_minutes: 1 } })
  stage.add('hanger')
  expect(stage.gza('work').code).toBe(0)
  expect(stage.statuses()).toEqual({ hanger: 'completed' })
  expect(stage.survivors()).toEqual([])
})

test('a client that ends without a result has failed, whatever its exit code', () => {
  const stage = withClaude({ quitter: 'commit a.txt a; exit 0' }, { defaults: IMPATIENT })
  stage.add('quitter')
  stage.gza('work')
  expect(stage.task('1').runs).toMatchObject([{ reason: 'agent-error', detail: expect.stringContaining('result') }])
  expect(stage.git('show', `${stage.task('1').branch}:a.txt`)).toBe('a')
})

test('a check that hangs is ended too', () => {
  const stage = aStage(
    { hanger: 'commit a.txt a' },
    { defaults: IMPATIENT, config: { verify: { command: 'tail -f gza.yaml', timeout_minutes: 0.02 } } },
  )
  stage.add('hanger')
  stage.gza('work')
  expect(stage.task('1').runs).toMatchObject([
    { reason: 'verify-failed', detail: expect.stringContaining('not ended') },
  ])
  expect(stage.survivors()).toEqual([])
})
