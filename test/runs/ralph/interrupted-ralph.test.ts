import { expect, test } from 'bun:test'
import { aStage, type Stage } from '../../support/scripted-agent.ts'

const SIGKILLED = 137
const STEP = 'n=$(($(ls | grep -c "^step-") + 1)); save "step-$n.txt" x; echo "step $n"'
const PROMISE = 'echo "<promise>DONE</promise>"'

function outcomes(stage: Stage): (string | undefined)[] {
  return stage.task('1').runs.map(({ outcome }) => outcome as string | undefined)
}

function aLoop(check = 'true'): Stage {
  const stage = aStage({ else: `${STEP}; [ $n -lt 2 ] || ${PROMISE}` }, { config: { verify: { command: check } } })
  stage.add('one')
  return stage
}

test('a loop that is killed while its agent works keeps the work and goes on with it', () => {
  const stage = aLoop()
  expect(stage.withEnv({ GZA_CRASH_AT: 'working' }).gza('work', '--ralph').code).toBe(SIGKILLED)
  expect(stage.gza('work', '--ralph').code).toBe(0)
  expect(outcomes(stage)).toEqual(['interrupted', 'completed'])
  expect(stage.calls()[1]?.prompt).toContain('WIP: one (interrupted)')
  expect(stage.worktrees()).toEqual([])
})

for (const step of ['heard', 'kept', 'verified', 'removed']) {
  test(`a promise that was heard before the worker died at the step ${step} is judged, and nobody is called again`, () => {
    const stage = aLoop()
    expect(stage.withEnv({ GZA_CRASH_AT: step }).gza('work', '--ralph').code).toBe(SIGKILLED)
    expect(stage.calls()).toHaveLength(2)
    expect(stage.gza('work', '--ralph').code).toBe(0)
    expect(stage.calls()).toHaveLength(2)
    expect(outcomes(stage)).toEqual(['interrupted', 'completed'])
    expect(stage.worktrees()).toEqual([])
  })
}

test('one that does not hold is told to the next iteration, also by the run that takes it up', () => {
  const stage = aLoop('test -e step-3.txt')
  expect(stage.withEnv({ GZA_CRASH_AT: 'kept' }).gza('work', '--ralph').code).toBe(SIGKILLED)
  expect(stage.gza('work', '--ralph').code).toBe(0)
  expect(stage.calls()).toHaveLength(3)
  expect(stage.calls()[2]?.prompt).toContain('It promised that the work is done, but: verify-failed')
})

test('a promise that did not hold is forgotten once the agent works again', () => {
  const act = `${STEP}; [ $n -lt 2 ] && ${PROMISE}; [ $n -ne 2 ] || { kill -9 $PPID; forever; }; ${PROMISE}`
  const stage = aStage({ else: act }, { config: { verify: { command: 'test -e step-2.txt' } } })
  stage.add('one')
  expect(stage.gza('work', '--ralph').code).toBe(SIGKILLED)
  expect(stage.calls()).toHaveLength(2)
  expect(stage.gza('work', '--ralph').code).toBe(0)
  expect(stage.calls()).toHaveLength(3)
  expect(stage.survivors()).toEqual([])
})

/** The worker prints what being asked to stop means as soon as it is asked. */
const ONCE_ASKED = 'until grep -q Stopping "$stage/printed"; do sleep 0.05; done'

test('who asks it to stop gets it after the iteration, with the work kept and no attempt spent', () => {
  const stage = aStage({ else: `${STEP}; [ $n -gt 1 ] && ${PROMISE} || { kill -TERM $PPID; ${ONCE_ASKED}; }` })
  stage.add('one')
  const { stdout } = stage.run(['sh', '-c', 'gza work --ralph >../printed 2>&1; cat ../printed'])
  expect(stdout).toContain('Task #1 interrupted; its work is kept')
  expect(stage.calls()).toHaveLength(1)
  expect(stage.why('1')).toBe('READY')
  expect(stage.gza('work', '--ralph').code).toBe(0)
  expect(stage.calls()).toHaveLength(2)
  expect(outcomes(stage)).toEqual(['interrupted', 'completed'])
})

test('a usage limit in the middle of the loop pauses the agent, and the loop goes on later', () => {
  const stage = aStage({ else: `${STEP}; [ $n -lt 2 ] || { echo "You've hit your session limit"; exit 1; }` })
  stage.add('one')
  expect(stage.gza('work', '--ralph').code).toBe(0)
  expect(stage.calls()).toHaveLength(2)
  expect(stage.why('1')).toBe('AGENT_PAUSED')
  expect(stage.task('1').runs).toMatchObject([{ outcome: 'failed', reason: 'usage-limit' }])
})

test('an iteration that fails ends the run like any other, and the next attempt loops on', () => {
  const stage = aStage({ else: `${STEP}; [ $n -ne 2 ] || exit 3; [ $n -lt 3 ] || ${PROMISE}` })
  stage.add('one')
  expect(stage.gza('work', '--all', '--ralph').code).toBe(0)
  expect(stage.task('1').runs).toMatchObject([
    { outcome: 'failed', reason: 'agent-error' },
    { outcome: 'completed', attempt: 2 },
  ])
  expect(stage.calls()[2]?.prompt).toContain('Attempt 1 failed: agent-error')
})

test('an iteration has its own time limit', () => {
  const stage = aStage(
    { else: `${STEP}; [ $n -lt 2 ] || forever` },
    { defaults: { timeout_minutes: 0.02, max_attempts: 1 } },
  )
  stage.add('one')
  stage.gza('work', '--ralph')
  expect(stage.inbox()).toMatchObject([{ code: 'TIMED_OUT' }])
  expect(stage.survivors()).toEqual([])
})
