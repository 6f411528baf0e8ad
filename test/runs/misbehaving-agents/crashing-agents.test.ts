import { expect, test } from 'bun:test'
import { anAgentRepo } from '../../support/scripted-agent.ts'

test.each([
  ['exits with an error', 'exit 7', 'exit code 7'],
  ['kills itself', 'kill -KILL $$', 'SIGKILL'],
  ['aborts', 'ulimit -c 0; kill -ABRT $$', 'SIGABRT'],
])('one that %s has failed, and what it had is kept on its branch', (_, end, told) => {
  const repo = anAgentRepo({ crasher: `commit a.txt a; save half.txt half; ${end}` }, { defaults: { max_attempts: 1 } })
  repo.add('crasher')
  repo.add('honest')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ crasher: 'failed', honest: 'completed' })
  const { runs, branch } = repo.task('1')
  expect(runs).toMatchObject([{ reason: 'agent-error', detail: expect.stringContaining(told) }])
  expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: crasher (agent-error)\ncrasher: a.txt')
  expect(repo.worktrees()).toEqual([])
})

test('the next attempt continues where the crash left it', () => {
  const act = 'if [ -e half.txt ]; then commit whole.txt whole; else save half.txt half; exit 1; fi'
  const repo = anAgentRepo({ crasher: act })
  repo.add('crasher')
  expect(repo.gza('work').code).toBe(0)
  const { branch, runs } = repo.task('1')
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'completed'])
  expect(repo.git('ls-tree', '--name-only', branch ?? '', 'half.txt', 'whole.txt')).toBe('half.txt\nwhole.txt')
})

test('an agent that is not there fails no task, and its tasks wait for it', () => {
  const repo = anAgentRepo({}, { config: { agents: { scripted: { command: '/nowhere/agent' } } } })
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const { code, stdout } = repo.gza('work', '--all', '--workers', '3')
  expect(code).toBe(1)
  expect(stdout).toContain('/nowhere/agent')
  expect(repo.statuses()).toEqual({ one: 'pending', two: 'pending', three: 'pending' })
  expect(['1', '2', '3'].map((ref) => repo.task(ref).runs.length)).toEqual([1, 0, 0])
})
