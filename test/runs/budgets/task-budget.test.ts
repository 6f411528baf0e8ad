import { expect, test } from 'bun:test'
import type { AgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'
import { withOpencode } from '../../support/scripted-opencode.ts'

const WRONG = { else: 'commit "$(date +%N).txt" a; result done; git tasks done "$task"' }
const NEVER_RIGHT = {
  defaults: { max_attempts: 9 },
  config: { verify: { command: 'test -e right' }, budgets: { task_usd: 0.4 } },
}

test('once a task has spent its budget no further attempt is begun, and it waits for a person', () => {
  const repo = withClaude(WRONG, NEVER_RIGHT)
  repo.add('one')
  repo.add('two')
  const { code, stdout } = repo.gza('work', '--no-base-check', '--all')
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('Task #1 has spent its budget ($0.50 of $0.40): gza inbox'),
  ])
  expect(repo.calls().map(({ title }) => title)).toEqual(['one', 'one', 'two', 'two'])
  expect(repo.statuses()).toEqual({ one: 'pending', two: 'pending' })
  expect(repo.why('1')).toBe('TASK_BUDGET')
  expect(repo.inbox()).toMatchObject([
    { task: { number: 1 }, code: 'TASK_BUDGET', detail: 'it has spent $0.50 of $0.40' },
    { task: { number: 2 }, code: 'TASK_BUDGET' },
  ])
  expect(repo.gza('work', '--all')).toMatchObject({ code: 0, stdout: 'Nothing to work on.\n' })
  const named = repo.gza('work', '1')
  expect([named.code, named.stderr]).toEqual([
    1,
    expect.stringContaining('Task #1 has spent its budget: $0.50 of $0.40'),
  ])
  expect(repo.calls()).toHaveLength(4)
})

test('a higher budget lets it continue', () => {
  const repo = spentStage()
  repo.write('gza.yaml', repo.git('show', 'HEAD:gza.yaml').replace('0.4', '0.7'))
  expect(repo.why('1')).toBe('READY')
  expect(repo.inbox()).toEqual([])
  repo.gza('work', '--no-base-check')
  expect(repo.calls()).toHaveLength(3)
})

test('so does a reset, with all of the budget', () => {
  const repo = spentStage()
  expect(repo.gza('resolve', '1', '--reset').code).toBe(0)
  expect(repo.why('1')).toBe('READY')
  expect(repo.inbox()).toEqual([])
  repo.gza('work', '--no-base-check')
  expect(repo.calls()).toHaveLength(4)
  expect(repo.why('1')).toBe('TASK_BUDGET')
})

test('an agent that passes it is ended, which costs the task no attempt', () => {
  const config = { budgets: { task_turns: 2 } }
  const repo = withOpencode({ else: 'turn 0; turn 0; turn 0; forever' }, { defaults: { max_attempts: 1 }, config })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'task-budget', turns: 3 }] })
  expect(repo.why('1')).toBe('TASK_BUDGET')
  expect(repo.inbox()).toMatchObject([{ code: 'TASK_BUDGET', detail: 'it has spent 3 of 2 turns' }])
})

test('git tasks run leaves such a task alone and continues with the next', () => {
  const repo = withClaude(WRONG, NEVER_RIGHT)
  repo.add('one')
  repo.add('two')
  repo.tasks('run', '--delay', '0')
  expect(repo.calls().map(({ title }) => title)).toEqual(['one', 'one', 'two', 'two'])
  expect(repo.inbox().map(({ code }) => code)).toEqual(['TASK_BUDGET', 'TASK_BUDGET'])
})

test('what a killed worker’s agent had cost by then counts', () => {
  const config = { budgets: { task_usd: 1, phase_usd: 2 } }
  const repo = withOpencode({ else: 'turn 0.5; forever' }, { config })
  repo.add('one')
  const kill = 'gza work & until gza ps --json | grep -q "cost_usd.*0.5"; do sleep 0.05; done; kill -9 $!; wait'
  for (const code of ['READY', 'TASK_BUDGET']) {
    repo.run(['bash', '-c', kill])
    // It ends what is left of the dead run; the agent that it is given does not exist.
    repo.gza('work', '1', '--agent', 'nobody')
    expect(repo.why('1')).toBe(code)
  }
})

test('a review inside the run is not begun with nothing left, and the run continues from there with more', () => {
  const act =
    'if grep -q Verdict <<<"$prompt"; then result "**Verdict: APPROVED**"; else commit a.txt a; result done; fi'
  const repo = withClaude({ else: act }, { defaults: { auto_review: true }, config: { budgets: { task_usd: 0.25 } } })
  repo.add('one')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.calls()).toHaveLength(1)
  const spent = { reason: 'task-budget', phase: 'review 1', cost_usd: 0.25, turns: 3 }
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [spent] })
  repo.write('gza.yaml', repo.git('show', 'HEAD:gza.yaml').replace('0.25', '0.5'))
  expect(repo.gza('work').code).toBe(0)
  expect(repo.calls()).toHaveLength(2)
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [spent, { cost_usd: 0.25, turns: 3 }] })
})

function spentStage(): AgentRepo {
  const repo = withClaude(WRONG, NEVER_RIGHT)
  repo.add('one')
  repo.gza('work', '--no-base-check')
  expect(repo.calls()).toHaveLength(2)
  expect(repo.why('1')).toBe('TASK_BUDGET')
  return repo
}
