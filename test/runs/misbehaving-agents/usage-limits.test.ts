import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const EIGHT = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const NEXT_YEAR = Math.floor(Date.now() / 1000) + 365 * 24 * 3600

test('eight tasks at a limit make one spawn, cost no attempt, and wait until the reset across restarts', () => {
  const repo = anAgentRepo({ else: `echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1` })
  for (const title of EIGHT) repo.add(title)
  const { code, stdout } = repo.gza('work', '--all', '--workers', '8')
  const until = new Date(NEXT_YEAR * 1000).toISOString()
  expect(code).toBe(1)
  expect(stdout).toContain(`scripted is at its usage limit until ${until}`)
  expect(stdout).toContain('gza agents resume scripted')
  expect(repo.calls()).toHaveLength(1)
  repo.gza('work', '--all', '--workers', '8')
  repo.gza('work', '3')
  expect(repo.calls()).toHaveLength(1)
  expect(Object.values(repo.statuses())).toEqual(Array(8).fill('pending'))
  expect(repo.why('1')).toBe('AGENT_PAUSED')
  expect(repo.inbox()).toEqual([
    {
      task: null,
      subject: 'scripted',
      code: 'AGENT_PAUSED',
      detail: `at its usage limit until ${until}`,
      commands: ['gza agents resume scripted'],
      cycle_texts: [],
    },
  ])
})

test('so do those of a client that is slow to report it, with words that may mean anything', () => {
  const act = `echo "Rate limited, retrying in 6 seconds"; sleep 6; echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1`
  const repo = anAgentRepo({ else: act })
  for (const title of EIGHT) repo.add(title)
  repo.gza('work', '--all', '--workers', '8')
  expect(repo.calls()).toHaveLength(1)
  expect(Object.values(repo.statuses())).toEqual(Array(8).fill('pending'))
})

test('work in its workplace shows that the account of a client works, whatever it says', () => {
  const meet = (mine: string, other: string) =>
    `touch "$beside/${mine}"; echo "rate limit"; save ${mine}.txt x; until [ -e "$beside/${other}" ]; do sleep 0.05; done`
  const repo = anAgentRepo({ one: meet('one', 'two'), two: meet('two', 'one') })
  repo.add('one')
  repo.add('two')
  expect(repo.gza('work', '--all', '--workers', '2').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
})

test('after a pause one run alone tries whether it is over', () => {
  const repo = anAgentRepo({ else: `sleep 0.5; echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1` })
  for (const title of EIGHT) repo.add(title)
  repo.gza('work', '1')
  endPauses(repo.env.HOME)
  repo.gza('work', '--all', '--workers', '8')
  expect(repo.calls()).toHaveLength(2)
})

test('eight tasks of a client that prints events make one call as well', () => {
  const repo = withClaude({ else: `limit ${NEXT_YEAR}` })
  for (const title of EIGHT) repo.add(title)
  repo.gza('work', '--all', '--workers', '8')
  expect(repo.calls()).toHaveLength(1)
  expect(repo.why('8')).toBe('AGENT_PAUSED')
})

test('the pause is the account’s: it holds in another repository of the same person', () => {
  const first = anAgentRepo({ else: `echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1` })
  const second = anAgentRepo({}, { env: { HOME: first.env.HOME } })
  first.add('one')
  second.add('two')
  first.gza('work')
  second.gza('work')
  expect(second.calls()).toEqual([])
  expect(second.why('1')).toBe('AGENT_PAUSED')
})

test('once the pause is over the tasks are worked on, all attempts still theirs', () => {
  const act = `if [ -e "$beside/open" ]; then commit "$title.txt" x; else echo "You've hit your session limit"; exit 1; fi`
  const repo = anAgentRepo({ else: act }, { defaults: { max_attempts: 1 } })
  repo.add('one')
  repo.add('two')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ one: 'pending', two: 'pending' })
  writeFileSync(repo.beside('open'), '')
  endPauses(repo.env.HOME)
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
})

test('a limit in the middle of many stops no run that is going on, and other agents work on', () => {
  const repo = withClaude(
    {
      first: 'commit first.txt x; result done',
      // Both are running when the limit is hit.
      limited: `touch "$beside/limited"; until [ -e "$beside/slow" ]; do sleep 0.05; done; limit ${NEXT_YEAR}`,
      slow: `touch "$beside/slow"; until gza why 2 --json | grep -q AGENT_PAUSED; do sleep 0.05; done; commit slow.txt x; result done`,
    },
    { defaults: { max_attempts: 1 } },
  )
  repo.add('first', '--priority', 'critical')
  repo.add('limited', '--priority', 'high')
  repo.add('slow', '--priority', 'high')
  repo.add('late', '--after', '3')
  repo.add('other', '--assigned-agent', 'scripted')
  // What is left waits for the limit.
  expect(repo.gza('work', '--all', '--workers', '3').code).toBe(1)
  expect(repo.statuses()).toEqual({
    first: 'completed',
    limited: 'pending',
    slow: 'completed',
    late: 'pending',
    other: 'completed',
  })
})

function endPauses(home = ''): void {
  new Database(`${home}/.local/state/gza/account.db`).run("UPDATE agent_pauses SET until = '2020-01-01T00:00:00Z'")
}
