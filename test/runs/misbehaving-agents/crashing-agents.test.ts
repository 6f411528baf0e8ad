import { expect, test } from 'bun:test'
import { aStage } from '../../support/scripted-agent.ts'

test.each([
  ['exits with an error', 'exit 7', 'exit code 7'],
  ['kills itself', 'kill -KILL $$', 'SIGKILL'],
  ['aborts', 'ulimit -c 0; kill -ABRT $$', 'SIGABRT'],
])('one that %s has failed, and what it had is kept on its branch', (_, end, told) => {
  const stage = aStage({ crasher: `commit a.txt a; save half.txt half; ${end}` }, { defaults: { max_attempts: 1 } })
  stage.add('crasher')
  stage.add('honest')
  stage.gza('work', '--all')
  expect(stage.statuses()).toEqual({ crasher: 'failed', honest: 'completed' })
  const { runs, branch } = stage.task('1')
  expect(runs).toMatchObject([{ reason: 'agent-error', detail: expect.stringContaining(told) }])
  expect(stage.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: crasher (agent-error)\ncrasher: a.txt')
  expect(stage.worktrees()).toEqual([])
})

test('the next attempt goes on where the crash left it', () => {
  const act = 'if [ -e half.txt ]; then commit whole.txt whole; else save half.txt half; exit 1; fi'
  const stage = aStage({ crasher: act })
  stage.add('crasher')
  expect(stage.gza('work').code).toBe(0)
  const { branch, runs } = stage.task('1')
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'completed'])
  expect(stage.git('ls-tree', '--name-only', branch ?? '', 'half.txt', 'whole.txt')).toBe('half.txt\nwhole.txt')
})

test('an agent that is not there fails no task, and its tasks wait for it', () => {
  const stage = aStage({}, { config: { agents: { scripted: { command: '/nowhere/agent' } } } })
  for (const title of ['one', 'two', 'three']) stage.add(title)
  const { code, stdout } = stage.gza('work', '--all', '--workers', '3')
  expect(code).toBe(1)
  expect(stdout).toContain('/nowhere/agent')
  expect(stage.statuses()).toEqual({ one: 'pending', two: 'pending', three: 'pending' })
  expect(['1', '2', '3'].map((ref) => stage.task(ref).runs.length)).toEqual([1, 0, 0])
})
