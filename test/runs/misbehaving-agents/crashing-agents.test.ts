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

test('the last lines that a crashed agent printed on stderr are in the output, the inbox and the next prompt', () => {
  const act = [
    'echo "on stdout"',
    'seq -f "trace %g" 1000 >&2',
    'echo "Error: no such module, key very-secret-value" >&2',
    'exit 7',
  ]
  const acts = { crasher: act.join('\n'), quiet: 'seq -f "step %g" 30; echo "it broke"; exit 8' }
  const repo = anAgentRepo(acts, { defaults: { max_attempts: 2 }, env: { SOME_API_KEY: 'very-secret-value' } })
  repo.add('crasher')
  repo.add('quiet')
  const { stdout } = repo.gza('work', '--all')
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  expect(lines(stdout)).toContain('trace 1000')
  expect(lines(stdout)).toContain('Error: no such module, key [redacted]')
  expect(repo.task('1').runs).toMatchObject([
    {
      reason: 'agent-error',
      detail: expect.stringMatching(/^exit code 7\ntrace 982\n(trace \d+\n)+Error: .*redacted\]$/),
    },
    { reason: 'agent-error' },
  ])
  const [crasher, quiet] = repo.inbox()
  expect(crasher?.detail).toBe(
    'exit code 7\ntrace 997\ntrace 998\ntrace 999\ntrace 1000\nError: no such module, key [redacted]',
  )
  // A plain command may print everything on stdout.
  expect(quiet?.detail).toEndWith('\nstep 30\nit broke')
  const [, second] = repo.calls().filter(({ title }) => title === 'crasher')
  expect(second?.prompt).toContain('trace 1000\nError: no such module, key [redacted]')
})
