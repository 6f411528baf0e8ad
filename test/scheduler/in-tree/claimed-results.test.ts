import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aStage, type Stage } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const DONE = 'git tasks done "$task"'

test('a task that is committed and marked done is done, and both closing lines are printed', () => {
  const stage = aStage({ else: `commit "$title.txt" x; ${DONE}` })
  stage.add('one')
  stage.add('two')
  const { code, stdout } = run(stage)
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(-3)).toEqual(['All tasks complete!', 'Run: git tasks pr', ''])
  expect(stage.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(stage.git('log', '--format=%s')).toBe('two: two.txt\none: one.txt\nfirst')
  expect(stage.task('1').closed_commit).toBe(stage.git('rev-parse', 'HEAD~1'))
  expect(stage.worktrees()).toEqual([])
})

test('marking first and committing then is as good', () => {
  const stage = aStage({ eager: `${DONE}; commit a.txt a` })
  stage.add('eager')
  expect(run(stage).code).toBe(0)
  expect(stage.task('1')).toMatchObject({ status: 'completed', closed_commit: stage.git('rev-parse', 'HEAD') })
})

test.each([
  ['a mark without a commit', DONE, 'no-changes'],
  ['a mark with an empty commit', `git commit -q --allow-empty -m x; ${DONE}`, 'no-changes'],
  ['a commit without a mark', 'commit a.txt a', 'not-done'],
  ['neither', 'echo done', 'not-done'],
  ['a mark with work left uncommitted', `commit a.txt a; save b.txt b; ${DONE}`, 'dirty-tree'],
  ['a mark on a rewritten history', `git commit -q --amend -m rewritten; ${DONE}`, 'outside-changes'],
  ['a crash after the mark', `commit a.txt a; ${DONE}; exit 3`, 'agent-error'],
])('%s is not done, and the claim is taken back', (_, act, reason) => {
  const stage = aStage({ liar: act })
  stage.add('liar')
  const { stdout } = run(stage, '--once')
  expect(stage.task('1')).toMatchObject({
    status: 'pending',
    closed_commit: null,
    runs: [{ outcome: 'failed', reason }],
  })
  expect(stdout).not.toContain('All tasks complete!')
})

test('an agent that breaks its task down has not failed: the parts are done next, and the whole with them', () => {
  const parts = 'for part in a b; do git tasks add "$part" --parent "$task"; done'
  const stage = aStage({ whole: `${parts}; ${DONE} && commit lie.txt x; true`, else: `commit "$title.txt" x; ${DONE}` })
  stage.add('whole')
  const { code, stdout } = run(stage)
  expect([code, stdout]).toEqual([0, expect.stringContaining('All tasks complete!')])
  expect(stage.statuses()).toEqual({ whole: 'completed', a: 'completed', b: 'completed' })
  expect(stage.task('1').runs).toMatchObject([{ outcome: 'completed' }])
  expect(stage.git('log', '--format=%s')).toBe('b: b.txt\na: a.txt\nfirst')
})

test('a claim is verified by the configured checks, on the commit that was made', () => {
  const stage = aStage(
    { liar: `commit a.txt bad; ${DONE}`, honest: `commit a.txt good; ${DONE}` },
    { config: { verify: { command: 'grep -q good a.txt || { echo "a.txt is bad"; exit 1; }' } } },
  )
  stage.add('liar')
  run(stage, '--once')
  expect(stage.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'verify-failed' }] })
  expect(stage.task('1').notes).toEqual([expect.stringContaining('a.txt is bad')])
  stage.gza('delete', '1')
  stage.add('honest')
  expect(run(stage).code).toBe(0)
  expect(stage.task('2').status).toBe('completed')
})

test('a dirty tree is refused at the start: nothing is spawned, nothing is touched', () => {
  const stage = aStage({})
  stage.add('one')
  stage.write('mine.txt', 'mine\n')
  const { code, stderr } = run(stage)
  expect(code).toBe(1)
  expect(stderr).toStartWith('Error: The work tree has uncommitted changes: mine.txt')
  expect(stage.calls()).toEqual([])
  expect(readFileSync(join(stage.dir, 'mine.txt'), 'utf8')).toBe('mine\n')
})

test('what a failed attempt left lying about its next one may finish, and no other task starts on it', () => {
  const act = `if [ -e half.txt ]; then git add -A; git commit -qm whole; ${DONE}; else save half.txt half; exit 1; fi`
  const stage = aStage({ crasher: act, hopeless: 'save mess.txt mess', else: `commit "$title.txt" x; ${DONE}` })
  stage.add('crasher')
  stage.add('hopeless')
  stage.add('next')
  const { code, stdout } = run(stage)
  expect(code).toBe(1)
  expect(stage.statuses()).toEqual({ crasher: 'completed', hopeless: 'pending', next: 'pending' })
  expect(stage.calls().map(({ title }) => title)).toEqual(['crasher', 'crasher', 'hopeless', 'hopeless', 'hopeless'])
  expect(stdout).toContain('The work tree has uncommitted changes: mess.txt')
})

test('three failures in a row add the note and skip the task, which stays open', () => {
  const stage = aStage({ failing: 'exit 1', honest: `commit a.txt a; ${DONE}` })
  stage.add('failing')
  stage.add('honest')
  const { code, stdout } = run(stage)
  expect(code).toBe(1)
  expect(stage.calls().map(({ title }) => title)).toEqual(['failing', 'failing', 'failing', 'honest'])
  expect(stage.task('1')).toMatchObject({ status: 'pending', notes: ['skipped: agent failed 3 times'] })
  expect(stage.statuses()).toEqual({ failing: 'pending', honest: 'completed' })
  expect(stdout).not.toContain('All tasks complete!')
})

test('a mark on another branch is none on this one, and the loop does not go on there', () => {
  const stage = aStage({ strayed: `git checkout -q -b other; commit a.txt a; ${DONE}` })
  stage.add('strayed')
  stage.add('next')
  expect(run(stage).stdout).toContain('The checkout is on other and not on main')
  stage.git('checkout', '-q', 'main')
  expect(stage.statuses()).toEqual({ strayed: 'pending', next: 'pending' })
  expect(stage.task('1').runs[0]).toMatchObject({ reason: 'dirty-tree' })
  expect(stage.calls().map(({ title }) => title)).toEqual(['strayed'])
})

test('what the agent says streams to the terminal', () => {
  const stage = aStage({ talker: `echo "Looking around"; echo oops >&2; commit a.txt a; ${DONE}` })
  stage.add('talker')
  expect(run(stage).stdout.split('\n')).toEqual(expect.arrayContaining(['  Looking around', '  oops']))
})

test('two failures skip nothing', () => {
  const flaky = `n=$(ls "$stage/calls" | wc -l); if [ $n -lt 3 ]; then exit 1; fi; commit "$title.txt" x; ${DONE}`
  const stage = aStage({ flaky })
  stage.add('flaky')
  expect(run(stage).code).toBe(0)
  expect(stage.task('1')).toMatchObject({ status: 'completed', notes: [] })
})

test('nothing is open but something has failed: the closing lines are not printed', () => {
  const stage = aStage({ lost: 'exit 0' }, { defaults: { max_attempts: 1 } })
  stage.add('lost')
  stage.gza('work')
  expect(stage.task('1').status).toBe('failed')
  expect(run(stage).stdout).not.toContain('All tasks complete!')
})

test('an overloaded agent is asked again as often as it takes: no task is skipped for it', () => {
  const overloaded =
    '{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"Overloaded"}'
  const busy = `n=$(ls "$stage/calls" | wc -l); if [ $n -lt 5 ]; then echo '${overloaded}'; exit 1; fi`
  const stage = withClaude({ one: `${busy}; commit a.txt x; ${DONE}; result ok` })
  stage.add('one')
  expect(run(stage)).toMatchObject({ code: 0 })
  expect(stage.task('1')).toMatchObject({ status: 'completed', notes: [] })
  expect(stage.task('1').runs.map(({ reason }) => reason)).toEqual([...Array(4).fill('overloaded'), undefined])
})

test('an agent that is not there stops the loop, and no task pays for it', () => {
  const stage = aStage({})
  stage.add('one')
  stage.add('two')
  const { code, stdout } = run(stage, '--runner', '/nowhere/agent --yes')
  expect(code).toBe(1)
  expect(stdout).toContain('/nowhere/agent')
  expect([stage.task('1').notes, stage.task('2').runs]).toEqual([[], []])
})

test('a usage limit stops the loop at one call, and the next one calls nobody', () => {
  const stage = aStage({ else: 'echo "Claude AI usage limit reached|4000000000"; exit 1' })
  stage.add('one')
  stage.add('two')
  expect(run(stage).stdout).toContain('scripted is at its usage limit until 2096-10-02T07:06:40.000Z')
  run(stage)
  expect(stage.calls()).toHaveLength(1)
  expect(stage.task('1')).toMatchObject({ status: 'pending', notes: [] })
})

function run(stage: Stage, ...flags: string[]) {
  return stage.tasks('run', '--delay', '0', ...flags)
}
