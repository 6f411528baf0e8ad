import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aStage } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const HONEST = { else: 'commit "$title.txt" x; git tasks done "$task"; result done' }
const PLAIN = { else: 'commit "$title.txt" x; git tasks done "$task"' }

test('the prompt is the one of the specification, to the byte', () => {
  const stage = aStage(PLAIN)
  const content = 'Refactor  auth\n\n\n\n  to use {task_id} and $1 "quotes" `ticks`'
  stage.add(content)
  stage.tasks('run', '--once')
  const { id } = stage.task('1')
  expect(stage.calls()[0]?.prompt).toBe(`You are working on task ${id}: ${content}

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
  const stage = aStage(PLAIN)
  stage.add('one')
  expect(stage.tasks('run', '--once', '--runner', `${stage.beside('agent')} --yes "two words"`).code).toBe(0)
  const [call] = stage.calls()
  expect(call?.arguments).toEqual(['--yes', 'two words', call?.prompt ?? ''])
  expect(stage.task('1')).toMatchObject({ status: 'completed', runs: [{ agent: 'agent' }] })
})

test('the default is claude, and --model is passed to it', () => {
  const stage = withClaude(HONEST)
  stage.add('one')
  stage.add('two')
  expect(stage.tasks('run', '--delay', '0', '--max-tasks', '1').code).toBe(0)
  expect(stage.tasks('run', '--claude', '--model', 'claude-opus-4-20250514').code).toBe(0)
  const [first, second] = stage.calls().map((call) => call.arguments)
  expect(first).not.toContain('--model')
  expect(second?.slice(second.indexOf('--model')).slice(0, 2)).toEqual(['--model', 'claude-opus-4-20250514'])
  expect(stage.task('2').runs).toMatchObject([{ agent: 'claude', cost_usd: 0.25 }])
})

test.each(['opencode', 'codex', 'gemini', 'qwen', 'copilot'])('--%s uses that client', (client) => {
  const stage = aStage(PLAIN)
  stage.add('one')
  const { stdout } = stage.tasks('run', '--dry-run', `--${client}`)
  expect(stdout.toLowerCase()).toContain(client)
  expect(stage.calls()).toEqual([])
})

test('two agents at once are a mistake in usage', () => {
  const stage = aStage(PLAIN)
  expect(stage.tasks('run', '--claude', '--opencode').code).toBe(2)
  expect(stage.tasks('run', '--claude', '--runner', 'x').code).toBe(2)
})

test('--once runs one task, --max-tasks so many, --dry-run none', () => {
  const stage = aStage(PLAIN)
  for (const title of ['one', 'two', 'three', 'four']) stage.add(title)
  const dry = stage.tasks('run', '--dry-run')
  expect(dry.stdout.split('\n').filter(Boolean)).toHaveLength(4)
  expect(stage.calls()).toHaveLength(0)
  expect(stage.tasks('run', '--once').stdout).not.toContain('All tasks complete!')
  expect(stage.calls()).toHaveLength(1)
  stage.tasks('run', '--max-tasks', '2', '--delay', '0')
  expect(stage.calls()).toHaveLength(3)
  expect(stage.tasks('run', '--once').stdout).toContain('All tasks complete!')
})

test('a task that was tried and is not done makes the exit code 1, however soon it was to stop', () => {
  const stage = aStage({ failing: 'exit 3', ...PLAIN })
  stage.add('failing')
  stage.add('one')
  const { id } = stage.task('1')
  for (const flags of [['--once'], ['--max-tasks', '2', '--delay', '0']]) {
    const { code, stdout } = stage.tasks('run', '--json', ...flags)
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { done: [], skipped: [], failed: [id] }])
  }
  const { stdout } = stage.tasks('run', '--json', '--delay', '0')
  expect(JSON.parse(stdout)).toMatchObject({ skipped: [id], failed: [] })
})

test('--delay is the pause between tasks, and there is none before the first', () => {
  const stage = aStage({ else: 'date +%s%N >>"$stage/times"; commit "$title.txt" x; git tasks done "$task"' })
  stage.add('one')
  stage.add('two')
  const began = Date.now() * 1e6
  stage.tasks('run', '--delay', '1.5')
  const [first = 0, second = 0] = readFileSync(stage.beside('times'), 'utf8').split('\n').map(Number)
  expect(second - first).toBeGreaterThan(1.5e9)
  expect(first - began).toBeLessThan(second - first)
})

test.each(['0', '0.25', '1', '2.5'])('--delay %s is a pause', (delay) => {
  const stage = aStage(PLAIN)
  stage.add('one')
  expect(stage.tasks('run', '--delay', delay).code).toBe(0)
})

test.each(['-1', 'soon', '', '1e3'])('--delay %s is none', (delay) => {
  const stage = aStage(PLAIN)
  expect(stage.tasks('run', `--delay=${delay}`).code).toBe(2)
})

test('nothing is pushed, and agents start no loops of their own', () => {
  const stage = aStage({
    else: 'git push -q origin HEAD && touch "$stage/pushed"; git tasks run && touch "$stage/ran"; commit a.txt a; git tasks done "$task"',
  })
  const remote = join(stage.beside('remote'))
  stage.git('init', '-q', '--bare', remote)
  stage.git('remote', 'add', 'origin', remote)
  stage.add('one')
  expect(stage.tasks('run').code).toBe(0)
  expect(stage.git('-C', remote, 'for-each-ref')).toBe('')
  expect(stage.run(['ls', stage.beside('pushed'), stage.beside('ran')]).stdout).toBe('')
})

test('an empty queue spawns nothing and says that all is complete', () => {
  const stage = aStage(PLAIN)
  expect(stage.tasks('run').stdout).toBe('All tasks complete!\nRun: git tasks pr\n')
  expect(stage.calls()).toEqual([])
})

test('dependencies are kept: what waits for a task that failed is not run', () => {
  const stage = aStage({ failing: 'exit 1', ...PLAIN })
  stage.add('failing')
  stage.add('dependent', '--after', '1')
  stage.tasks('run', '--delay', '0')
  expect(stage.calls().map(({ title }) => title)).toEqual(['failing', 'failing', 'failing'])
})

test('commands of a configuration that nobody trusts are not run', () => {
  const stage = aStage(PLAIN, { env: { GZA_TRUST: undefined } })
  stage.add('one')
  const { code, stderr } = stage.tasks('run')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not trusted')])
  expect(stage.calls()).toEqual([])
})
