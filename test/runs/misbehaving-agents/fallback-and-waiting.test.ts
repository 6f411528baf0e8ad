import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'

/** At its limit until a file appears; the reset is that many seconds away. */
const limited = (seconds: number) =>
  `[ -e "$beside/free" ] || { save half.txt begun; echo "Claude AI usage limit reached|$(($(date +%s) + ${seconds}))"; exit 1; }`
const WORK = 'commit "$title.txt" "$title"'

/** Two agents with the same script: `scripted` reaches its limit, `other` does not. */
function aRepoWithTwo(first: string, fallback = '[scripted, other]'): AgentRepo {
  const repo = anAgentRepo({ else: `[ "$1" = other ] || { ${first}; }; ${WORK}` })
  const command = repo.beside('agent')
  repo.commit('agents', {
    'gza.yaml': [
      `agents: ${JSON.stringify({ scripted: { command }, other: { command: `${command} other` } })}`,
      `fallback: ${fallback}`,
      'defaults: { agent: scripted, model: big }',
      'retry: { backoff_seconds: 0 }',
    ].join('\n'),
  })
  return repo
}

const agentsOf = (repo: AgentRepo, ref: string): unknown[] =>
  repo.task(ref).runs.map(({ agent, reason }) => [agent, reason])

test('a fallback stands in for the paused agent, on the work it left, and without its model', () => {
  const repo = aRepoWithTwo(limited(3600))
  repo.add('first')
  repo.add('second')
  const work = repo.gza('work', '--all')
  expect([work.code, work.stdout]).toEqual([0, expect.stringContaining('other stands in for scripted\n')])
  expect(agentsOf(repo, '1')).toEqual([
    ['scripted', 'usage-limit'],
    ['other', null],
  ])
  expect(agentsOf(repo, '2')).toEqual([['other', null]])
  expect(repo.git('show', `${repo.task('1').branch}:half.txt`)).toBe('begun')
  expect(repo.calls().map((call) => call.arguments.includes('big'))).toEqual([false, false, false])
})

test('no fallback stands in for an agent that the task or the command line names', () => {
  const repo = aRepoWithTwo(limited(3600))
  repo.add('first')
  repo.add('second')
  repo.gza('assign', '1', '@scripted')
  expect(repo.gza('work', '--all').code).toBe(1)
  expect([agentsOf(repo, '1'), agentsOf(repo, '2')]).toEqual([[['scripted', 'usage-limit']], [['other', null]]])
  repo.add('third')
  expect(repo.gza('work', '3', '--agent', 'scripted').code).toBe(1)
  expect([repo.task('3').runs, repo.why('3')]).toEqual([[], 'READY'])
})

test('an unknown fallback is named before the night begins', () => {
  const repo = aRepoWithTwo(WORK, '[other, copilto]')
  repo.add('first')
  const work = repo.gza('work', '--all')
  expect([work.code, work.stderr, repo.calls()]).toEqual([2, expect.stringContaining('copilto'), []])
})

test('work that waits continues by itself at the reset, after a lifted pause, and with new tasks', async () => {
  const repo = anAgentRepo({ else: `${limited(3600)}; ${WORK}` })
  repo.add('first')
  const working = repo.start(['gza', 'work', '--all', '--wait'])
  await until(() => repo.why('1') === 'AGENT_PAUSED', 'the agent is paused')
  expect(repo.gza('ps').stderr).toBe('Nothing is running.\n')
  repo.add('second')
  repo.run(['touch', repo.beside('free')])
  repo.gza('agents', 'resume', 'scripted')
  const { code, stdout } = await working
  expect([code, repo.statuses()]).toEqual([0, { first: 'completed', second: 'completed' }])
  expect(stdout.match(/scripted is at its usage limit until \S+\. Waiting\.\n/g)).toHaveLength(1)
  // The reset itself: two seconds away.
  const short = anAgentRepo({ else: `[ -e "$beside/free" ] || touch "$beside/free.next"; ${limited(2)}; ${WORK}` })
  short.add('first')
  const again = short.start(['gza', 'work', '--all', '--wait'])
  await until(() => existsSync(short.beside('free.next')), 'it was called')
  short.run(['touch', short.beside('free')])
  expect([(await again).code, short.task('1').status]).toEqual([0, 'completed'])
})

test('work does not wait longer than it may, and ends at once when a person stops it', async () => {
  const repo = anAgentRepo({ else: limited(3600) })
  repo.add('first')
  const ended = repo.gza('work', '--all', '--wait', '--max-wait', '0')
  expect([ended.code, ended.stdout]).toEqual([1, expect.not.stringContaining('Waiting')])
  expect(repo.gza('work', '--max-wait', 'long').code).toBe(2)
  // Who says how long wants to wait.
  const working = spawnGza(repo, 'work', '--all', '--max-wait', '1')
  await until(() => working.printed().includes('Waiting.'), 'it waits')
  working.process.kill('SIGINT')
  await working.ended
  expect(repo.task('1').runs.map(({ reason }) => reason)).toEqual(['usage-limit'])
})
