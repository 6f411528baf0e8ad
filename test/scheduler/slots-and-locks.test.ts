import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { withoutEnd } from '../support/without-end.ts'

/** Shows that it works, so that others may start, and waits until the test lets all agents go. */
const MEET =
  'save "$title.txt" 0; echo "$title $GZA_SLOT $GZA_PORT" >>"$beside/slots"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit "$title.txt" 1'

function linesOf(repo: AgentRepo, name: string): string[] {
  return existsSync(repo.beside(name)) ? readFileSync(repo.beside(name), 'utf8').trim().split('\n') : []
}

test('tasks that run at once have different numbers and ports, in the agent and in the checks', async () => {
  const check = 'echo "check $GZA_SLOT $GZA_PORT" >>"$BESIDE/checks"'
  const repo = anAgentRepo(
    { else: MEET },
    { config: { verify: { command: check }, worktree: { ports: '30000-30099' } } },
  )
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const work = repo.start(['gza', 'work', '--no-base-check', '--all', '--workers', '3'], {
    env: { BESIDE: repo.beside('.') },
  })
  await until(() => linesOf(repo, 'slots').length === 3)
  writeFileSync(repo.beside('go'), '')
  expect((await work).code).toBe(0)
  const slots = linesOf(repo, 'slots').map((line) => line.split(' ').slice(1).join(' '))
  expect(slots.sort()).toEqual(['1 30000', '2 30010', '3 30020'])
  expect(linesOf(repo, 'checks').sort()).toEqual(['check 1 30000', 'check 2 30010', 'check 3 30020'])
  // The numbers are free again, also for another repository of the same person.
  repo.add('four')
  outputOf(repo.withEnv({ BESIDE: repo.beside('.') }).gza('work'))
  expect(linesOf(repo, 'slots').at(-1)).toBe('four 1 30000')
})

test('tasks that name the same lock run one after the other, and why names the lock', async () => {
  const repo = anAgentRepo({ else: MEET }, { config: { task_types: { explore: { locks: ['db'] } } } })
  repo.add('one', '--lock', 'db,printer')
  repo.add('two', '--lock', 'db')
  repo.add('three', '--lock', 'cache')
  repo.add('four', '-t', 'explore')
  expect(repo.task('1').locks).toEqual(['db', 'printer'])
  const work = repo.start(['gza', 'work', '--all', '--workers', '4'])
  await until(() => linesOf(repo, 'slots').length === 2)
  expect([repo.why('2'), repo.why('4'), repo.why('3')]).toEqual(['LOCK_BUSY', 'LOCK_BUSY', 'RUNNING'])
  expect(repo.gza('why', '2').stdout).toContain('#1 has the lock db')
  const named = repo.gza('work', '2')
  expect([named.code, named.stdout + named.stderr]).toEqual([1, expect.stringContaining('#1 has the lock db')])
  writeFileSync(repo.beside('go'), '')
  await work
  expect(repo.statuses()).toMatchObject({ one: 'completed', two: 'completed', three: 'completed' })
  expect(
    linesOf(repo, 'slots')
      .map((line) => line.split(' ')[0])
      .slice(0, 2)
      .sort(),
  ).toEqual(['one', 'three'])
})

test('a worker that was killed holds no lock and no number', async () => {
  const repo = anAgentRepo({ else: 'echo "$GZA_SLOT" >>"$beside/slots"; commit "$title.txt" 1' })
  repo.add('one', '--lock', 'db')
  expect(repo.run(['gza', 'work'], { env: { GZA_CRASH_AT: 'prepared' } }).code).not.toBe(0)
  repo.gza('edit', '1', '--lock', '')
  repo.add('two', '--lock', 'db')
  outputOf(repo.gza('work', '2'))
  expect([repo.task('1').locks, repo.task('2').status, linesOf(repo, 'slots').at(-1)]).toEqual([[], 'completed', '1'])
})

test('checks with a lock run one at a time', () => {
  const check = 'mkdir "$BESIDE/in-use" || exit 9; sleep 0.3; rmdir "$BESIDE/in-use"'
  const repo = anAgentRepo({}, { config: { verify: { command: check, locks: ['db'] }, land: 'merge' } })
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const work = repo.run(['gza', 'work', '--all', '--workers', '3'], { env: { BESIDE: repo.beside('.') } })
  expect([work.code, withoutEnd(work.stderr)]).toEqual([0, ''])
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed' })
})

test('a plan names locks, and a name that is not one is refused', () => {
  const repo = anAgentRepo({})
  repo.write('plan.yaml', 'tasks:\n  - title: Migrate\n    locks: [db]\n')
  repo.write(
    'plan.md',
    '# Plan\n\n## Task 1: Print\n\nLocks: db, printer\n\n## Task 2: Other\n\nLocks: are held for long\n',
  )
  outputOf(repo.gza('plan', 'import', 'plan.yaml'))
  outputOf(repo.gza('plan', 'import', 'plan.md'))
  const locks = JSON.parse(outputOf(repo.gza('list', '--all', '--json'))).map(
    (task: { title: string; locks: string[] }) => [task.title, task.locks],
  )
  expect(Object.fromEntries(locks)).toMatchObject({ Migrate: ['db'], Print: ['db', 'printer'], Other: [] })
  expect(repo.gza('add', 'x', '--lock', 'a b')).toMatchObject({ code: 2 })
})
