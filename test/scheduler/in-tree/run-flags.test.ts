import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'
import { until } from '../../support/until.ts'

const HONEST = { else: 'commit "$title.txt" x; git tasks done "$task"; result done' }
const PLAIN = { else: 'commit "$title.txt" x; git tasks done "$task"' }

test('the prompt is fixed to the byte', () => {
  const repo = anAgentRepo(PLAIN)
  const content = 'Refactor  auth\n\n\n\n  to use {task_id} and $1 "quotes" `ticks`'
  repo.add(content)
  repo.tasks('run', '--once')
  const { id } = repo.task('1')
  expect(repo.calls()[0]?.prompt).toBe(`You are working on task ${id}: ${content}

Instructions:
1. Read AGENTS.md for project context
2. Complete this ONE task only
3. Verify your work (run tests, check output)
4. Commit your changes with: git commit -m "<message>" --prompt "${content}"
5. Mark the task done: git tasks done ${id}
6. If you learn critical operational details, update AGENTS.md

Rules:
- NEVER git push (only commit)
- ONLY work on this one task
- If blocked, add a note: git tasks note ${id} "blocked: <reason>"`)
})

test('--runner takes a command of one’s own, with the prompt as its last argument', () => {
  const repo = anAgentRepo(PLAIN)
  repo.add('one')
  expect(repo.tasks('run', '--once', '--runner', `${repo.beside('agent')} --yes "two words"`).code).toBe(0)
  const [call] = repo.calls()
  expect(call?.arguments).toEqual(['--yes', 'two words', call?.prompt ?? ''])
  expect(repo.task('1')).toMatchObject({ status: 'completed', runs: [{ agent: 'agent' }] })
})

test('the default is claude, and --model is passed to it', () => {
  const repo = withClaude(HONEST)
  repo.add('one')
  repo.add('two')
  expect(repo.tasks('run', '--delay', '0', '--max-tasks', '1').code).toBe(0)
  expect(repo.tasks('run', '--claude', '--model', 'claude-opus-4-20250514').code).toBe(0)
  const [first, second] = repo.calls().map((call) => call.arguments)
  expect(first).not.toContain('--model')
  expect(second?.slice(second.indexOf('--model')).slice(0, 2)).toEqual(['--model', 'claude-opus-4-20250514'])
  expect(repo.task('2').runs).toMatchObject([{ agent: 'claude', cost_usd: 0.25 }])
})

test.each(['opencode', 'codex', 'gemini', 'qwen', 'copilot'])('--%s uses that client', (client) => {
  const repo = anAgentRepo(PLAIN)
  repo.add('one')
  const { stdout } = repo.tasks('run', '--dry-run', `--${client}`)
  expect(stdout.toLowerCase()).toContain(client)
  expect(repo.calls()).toEqual([])
})

test('two agents at once are a mistake in usage', () => {
  const repo = anAgentRepo(PLAIN)
  expect(repo.tasks('run', '--claude', '--opencode').code).toBe(2)
  expect(repo.tasks('run', '--claude', '--runner', 'x').code).toBe(2)
})

test('--once runs one task, --max-tasks so many, --dry-run none', () => {
  const repo = anAgentRepo(PLAIN)
  for (const title of ['one', 'two', 'three', 'four']) repo.add(title)
  const dry = repo.tasks('run', '--dry-run')
  expect(dry.stdout.split('\n').filter(Boolean)).toHaveLength(4)
  expect(repo.calls()).toHaveLength(0)
  expect(repo.tasks('run', '--once').stdout).not.toContain('All tasks complete!')
  expect(repo.calls()).toHaveLength(1)
  repo.tasks('run', '--max-tasks', '2', '--delay', '0')
  expect(repo.calls()).toHaveLength(3)
  expect(repo.tasks('run', '--once').stdout).toContain('All tasks complete!')
})

test('a task that was tried and is not done makes the exit code 1, however soon it was to stop', () => {
  const repo = anAgentRepo({ failing: 'exit 3', ...PLAIN })
  repo.add('failing')
  repo.add('one')
  const { id } = repo.task('1')
  const once = repo.tasks('run', '--json', '--once')
  expect([once.code, JSON.parse(once.stdout)]).toMatchObject([
    1,
    { completed: [], skipped: [], failed: [{ number: 1, id }] },
  ])
  const { stdout } = repo.tasks('run', '--json', '--delay', '0')
  expect(JSON.parse(stdout)).toMatchObject({ skipped: [{ number: 1, id }], failed: [] })
})

test('--max-tasks counts tasks, not attempts', () => {
  const repo = anAgentRepo({ failing: 'exit 3', ...PLAIN })
  for (const title of ['failing', 'one', 'two']) repo.add(title)
  const { code, stdout } = repo.tasks('run', '--json', '--max-tasks', '2', '--delay', '0')
  const ids = ['1', '2'].map((number) => repo.task(number).id)
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    { skipped: [{ id: ids[0] }], completed: [{ id: ids[1] }], failed: [] },
  ])
  expect(repo.calls().map(({ title }) => title)).toEqual(['failing', 'failing', 'failing', 'one'])
})

test('a task whose agent failed three times is in the inbox until a person decides', () => {
  const repo = anAgentRepo({ else: 'exit 3' })
  repo.add('failing')
  repo.tasks('run', '--delay', '0', '--once')
  expect(repo.inbox()).toEqual([])
  repo.tasks('run', '--delay', '0')
  expect(repo.inbox()).toMatchObject([{ task: { number: 1, status: 'pending' }, code: 'AGENT_ERROR' }])
  repo.gza('resolve', '1', '--reset')
  expect(repo.inbox()).toEqual([])
})

test('open tasks of which none can start are named, and the exit code is 1', () => {
  const repo = anAgentRepo(PLAIN)
  repo.add('held', '--group', 'g')
  repo.add('waiting', '--after', '1')
  repo.gza('resolve', '1', '--abort')
  const { code, stdout } = repo.tasks('run')
  expect(code).toBe(1)
  expect(stdout).toStartWith(`None of the 2 open tasks can start. ${repo.task('1').id}: its workflow was aborted`)
  expect(stdout).not.toContain('All tasks complete!')
  expect(JSON.parse(repo.tasks('run', '--json').stdout).failure).toContain('can start')
  expect(repo.calls()).toEqual([])
})

test('a second git tasks run in the same work tree is refused, in another worktree it is not', async () => {
  const repo = anAgentRepo({
    slow: 'touch "$beside/began"; while [ ! -e "$beside/end" ]; do sleep 0.05; done; commit a.txt a; git tasks done "$task"',
    ...PLAIN,
  })
  repo.add('slow')
  repo.add('one')
  const other = repo.worktree('other')
  const first = repo.start(['git-tasks', 'run', '--once'])
  await until(() => existsSync(repo.beside('began')))
  expect(repo.tasks('run')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Another git tasks run is working in ${repo.dir}\n  Nothing was changed.`),
  })
  expect(other.tasks('run', '--once', '--branch', 'main').code).toBe(0)
  expect(repo.calls().map(({ title }) => title)).toEqual(['slow', 'one'])
  repo.run(['touch', repo.beside('end')])
  expect((await first).code).toBe(0)
  expect(repo.tasks('run').stdout).toContain('All tasks complete!')
})

test('--delay is the pause between tasks, and there is none before the first', () => {
  const repo = anAgentRepo({ else: 'date +%s%N >>"$beside/times"; commit "$title.txt" x; git tasks done "$task"' })
  repo.add('one')
  repo.add('two')
  const began = Date.now() * 1e6
  repo.tasks('run', '--delay', '1.5')
  const [first = 0, second = 0] = readFileSync(repo.beside('times'), 'utf8').split('\n').map(Number)
  expect(second - first).toBeGreaterThan(1.5e9)
  expect(first - began).toBeLessThan(second - first)
})

test.each(['0', '0.25', '1', '2.5'])('--delay %s is a pause', (delay) => {
  const repo = anAgentRepo(PLAIN)
  repo.add('one')
  expect(repo.tasks('run', '--delay', delay).code).toBe(0)
})

test.each(['-1', 'soon', '', '1e3'])('--delay %s is not a pause', (delay) => {
  const repo = anAgentRepo(PLAIN)
  expect(repo.tasks('run', `--delay=${delay}`).code).toBe(2)
})

test('nothing is pushed, and agents start no runs of their own', () => {
  const repo = anAgentRepo({
    else: 'git push -q origin HEAD && touch "$beside/pushed"; git tasks run && touch "$beside/ran"; commit a.txt a; git tasks done "$task"',
  })
  const remote = join(repo.beside('remote'))
  repo.git('init', '-q', '--bare', remote)
  repo.git('remote', 'add', 'origin', remote)
  repo.add('one')
  expect(repo.tasks('run').code).toBe(0)
  expect(repo.git('-C', remote, 'for-each-ref')).toBe('')
  expect(repo.run(['ls', repo.beside('pushed'), repo.beside('ran')]).stdout).toBe('')
})

test('an empty queue spawns nothing and says that all is complete', () => {
  const repo = anAgentRepo(PLAIN)
  expect(repo.tasks('run').stdout).toBe('All tasks complete!\nRun: git tasks pr\n')
  expect(repo.calls()).toEqual([])
})

test('dependencies are kept: what waits for a task that failed is not run', () => {
  const repo = anAgentRepo({ failing: 'exit 1', ...PLAIN })
  repo.add('failing')
  repo.add('dependent', '--after', '1')
  repo.tasks('run', '--delay', '0')
  expect(repo.calls().map(({ title }) => title)).toEqual(['failing', 'failing', 'failing'])
})

test('commands of an untrusted configuration are not run', () => {
  const repo = anAgentRepo(PLAIN, { env: { GZA_TRUST: undefined } })
  repo.add('one')
  const { code, stderr } = repo.tasks('run')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not trusted')])
  expect(repo.calls()).toEqual([])
})
