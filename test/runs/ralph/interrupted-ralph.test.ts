import { expect, test } from 'bun:test'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

const SIGKILLED = 137
const STEP = 'n=$(($(ls | grep -c "^step-") + 1)); save "step-$n.txt" x; echo "step $n"'
/** In a box an agent cannot signal gza. */
const SEEING_GZA = { isolation: 'off' } as const
const PROMISE = 'echo "<promise>DONE</promise>"'

function outcomes(repo: AgentRepo): (string | null)[] {
  return repo.task('1').runs.map(({ outcome }) => outcome as string | null)
}

function aReviewRepo(check = 'true'): AgentRepo {
  const repo = anAgentRepo({ else: `${STEP}; [ $n -lt 2 ] || ${PROMISE}` }, { config: { verify: { command: check } } })
  repo.add('one')
  return repo
}

test('iterations that are killed while the agent works keep the work and continue with it', () => {
  const repo = aReviewRepo()
  expect(repo.withEnv({ GZA_CRASH_AT: 'working' }).gza('work', '--ralph', '--no-base-check').code).toBe(SIGKILLED)
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(outcomes(repo)).toEqual(['interrupted', 'completed'])
  expect(repo.calls()[1]?.prompt).toContain('WIP: one (interrupted)')
  expect(repo.worktrees()).toEqual([])
})

for (const step of ['heard', 'kept', 'verified', 'removed']) {
  test(`a promise that was received before the worker died at the step ${step} is judged, and no agent is called again`, () => {
    const repo = aReviewRepo()
    expect(repo.withEnv({ GZA_CRASH_AT: step }).gza('work', '--ralph', '--no-base-check').code).toBe(SIGKILLED)
    expect(repo.calls()).toHaveLength(2)
    expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
    expect(repo.calls()).toHaveLength(2)
    expect(outcomes(repo)).toEqual(['interrupted', 'completed'])
    expect(repo.worktrees()).toEqual([])
  })
}

test('a promise that does not hold is given to the next iteration, also by the run that continues the work', () => {
  const repo = aReviewRepo('test -e step-3.txt')
  expect(repo.withEnv({ GZA_CRASH_AT: 'kept' }).gza('work', '--ralph', '--no-base-check').code).toBe(SIGKILLED)
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.calls()).toHaveLength(3)
  expect(repo.calls()[2]?.prompt).toContain('It promised that the work is done, but: verify-failed')
})

test('a promise that did not hold is forgotten once the agent works again', () => {
  const act = `${STEP}; [ $n -lt 2 ] && ${PROMISE}; [ $n -ne 2 ] || { kill -9 $PPID; forever; }; ${PROMISE}`
  const repo = anAgentRepo({ else: act }, { config: { verify: { command: 'test -e step-2.txt' } }, ...SEEING_GZA })
  repo.add('one')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(SIGKILLED)
  expect(repo.calls()).toHaveLength(2)
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.calls()).toHaveLength(3)
  expect(repo.survivors()).toEqual([])
})

/** The worker prints what being asked to stop means as soon as it is asked. */
const ONCE_ASKED = 'until grep -q Stopping "$beside/printed"; do sleep 0.05; done'

test('a person who asks it to stop gets that after the iteration, with the work kept and no attempt spent', () => {
  const act = `${STEP}; [ $n -gt 1 ] && ${PROMISE} || { kill -INT $PPID; ${ONCE_ASKED}; }`
  const repo = anAgentRepo({ else: act }, SEEING_GZA)
  repo.add('one')
  const { stdout } = repo.run(['sh', '-c', 'gza work --ralph >../printed 2>&1; cat ../printed'])
  expect(stdout).toContain('Task #1 interrupted; its work is kept')
  expect(repo.calls()).toHaveLength(1)
  expect(repo.why('1')).toBe('READY')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.calls()).toHaveLength(2)
  expect(outcomes(repo)).toEqual(['interrupted', 'completed'])
})

test('a usage limit in the middle of the iterations pauses the agent, and they continue later', () => {
  const repo = anAgentRepo({ else: `${STEP}; [ $n -lt 2 ] || { echo "You've hit your session limit"; exit 1; }` })
  repo.add('one')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(1)
  expect(repo.calls()).toHaveLength(2)
  expect(repo.why('1')).toBe('AGENT_PAUSED')
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'failed', reason: 'usage-limit' }])
})

test('an iteration that fails ends the run like any other, and the next attempt iterates on', () => {
  const repo = anAgentRepo({ else: `${STEP}; [ $n -ne 2 ] || exit 3; [ $n -lt 3 ] || ${PROMISE}` })
  repo.add('one')
  expect(repo.gza('work', '--all', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.task('1').runs).toMatchObject([
    { outcome: 'failed', reason: 'agent-error' },
    { outcome: 'completed', attempt: 2 },
  ])
  expect(repo.calls()[2]?.prompt).toContain('Attempt 1 failed: agent-error')
})

test('an iteration has its own time limit', () => {
  const repo = anAgentRepo(
    { else: `${STEP}; [ $n -lt 2 ] || forever` },
    { defaults: { timeout_minutes: 0.02, max_attempts: 1 } },
  )
  repo.add('one')
  repo.gza('work', '--ralph', '--no-base-check')
  expect(repo.inbox()).toMatchObject([{ code: 'TIMED_OUT' }])
  expect(repo.survivors()).toEqual([])
})
