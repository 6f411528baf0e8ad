import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const DONE = 'git tasks done "$task"'

test('a task that is committed and marked done is done, and both closing lines are printed', () => {
  const repo = anAgentRepo({ else: `commit "$title.txt" x; ${DONE}` })
  repo.add('one')
  repo.add('two')
  const { code, stdout } = run(repo)
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(-3)).toEqual(['All tasks complete!', 'Run: git tasks pr', ''])
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(repo.git('log', '--format=%s')).toBe('two: two.txt\none: one.txt\nfirst')
  expect(repo.task('1').closed_commit).toBe(repo.git('rev-parse', 'HEAD~1'))
  expect(repo.worktrees()).toEqual([])
})

test('files outside of the list are recorded with the run', () => {
  const repo = anAgentRepo({ else: `commit b.txt "$title"; commit a.txt "$title"; ${DONE}` })
  repo.add('one', '--files-to-modify', 'a.txt')
  const { code, stdout } = run(repo, '--once')
  expect([code, stdout]).toEqual([0, expect.stringContaining('\n  outside of its files: b.txt\n')])
  expect(repo.task('1').runs.map(({ outside }) => outside)).toEqual([['b.txt']])
  expect(repo.gza('show', '1').stdout).toContain('outside: b.txt\n')
})

test('marking first and committing then is as good', () => {
  const repo = anAgentRepo({ eager: `${DONE}; commit a.txt a` })
  repo.add('eager')
  expect(run(repo).code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'completed', closed_commit: repo.git('rev-parse', 'HEAD') })
})

test.each([
  ['a mark without a commit', DONE, 'no-changes'],
  ['a mark with an empty commit', `git commit -q --allow-empty -m x; ${DONE}`, 'no-changes'],
  ['a commit without a mark', 'commit a.txt a', 'not-done'],
  ['neither', 'echo done', 'not-done'],
  ['a mark with work left uncommitted', `commit a.txt a; save b.txt b; ${DONE}`, 'dirty-tree'],
  [
    'a mark on a rewritten history',
    `PATH="\${PATH#*:}" git -c core.hooksPath= commit -q --amend -m x; ${DONE}`,
    'outside-changes',
  ],
  ['a crash after the mark', `commit a.txt a; ${DONE}; exit 3`, 'agent-error'],
])('%s is not done, and the claim is taken back', (_, act, reason) => {
  const repo = anAgentRepo({ liar: act })
  repo.add('liar')
  const { stdout } = run(repo, '--once')
  expect(repo.task('1')).toMatchObject({
    status: 'pending',
    closed_commit: null,
    runs: [{ outcome: 'failed', reason }],
  })
  expect(stdout).not.toContain('All tasks complete!')
})

test('an agent that breaks its task down has not failed: the parts are done next, and the whole with them', () => {
  const parts = 'for part in a b; do git tasks add "$part" --parent "$task"; done'
  const repo = anAgentRepo({
    whole: `${parts}; ${DONE} && commit lie.txt x; true`,
    else: `commit "$title.txt" x; ${DONE}`,
  })
  repo.add('whole')
  const { code, stdout } = run(repo)
  expect([code, stdout]).toEqual([0, expect.stringContaining('All tasks complete!')])
  expect(repo.statuses()).toEqual({ whole: 'completed', a: 'completed', b: 'completed' })
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed' }])
  expect(repo.git('log', '--format=%s')).toBe('b: b.txt\na: a.txt\nfirst')
})

test('a claim is verified by the configured checks, on the commit that was made', () => {
  const repo = anAgentRepo(
    { liar: `commit a.txt bad; ${DONE}`, honest: `commit a.txt good; ${DONE}` },
    { config: { verify: { command: 'grep -q good a.txt || { echo "a.txt is bad"; exit 1; }' } } },
  )
  repo.add('liar')
  run(repo, '--once')
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ reason: 'verify-failed' }] })
  expect(repo.task('1').notes).toEqual([expect.stringContaining('a.txt is bad')])
  repo.gza('delete', '1')
  repo.add('honest')
  expect(run(repo).code).toBe(0)
  expect(repo.task('2').status).toBe('completed')
})

test('a dirty tree is refused at the start: nothing is spawned, nothing is touched', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  repo.write('mine.txt', 'mine\n')
  const { code, stderr } = run(repo)
  expect(code).toBe(1)
  expect(stderr).toStartWith('Error: The working tree has uncommitted changes: mine.txt')
  expect(repo.calls()).toEqual([])
  expect(readFileSync(join(repo.dir, 'mine.txt'), 'utf8')).toBe('mine\n')
})

test('what a failed attempt left lying about its next one may finish, and no other task starts on it', () => {
  const act = `if [ -e half.txt ]; then git add -A; git commit -qm whole; ${DONE}; else save half.txt half; exit 1; fi`
  const repo = anAgentRepo({ crasher: act, hopeless: 'save mess.txt mess', else: `commit "$title.txt" x; ${DONE}` })
  repo.add('crasher')
  repo.add('hopeless')
  repo.add('next')
  const { code, stdout } = run(repo)
  expect(code).toBe(1)
  expect(repo.statuses()).toEqual({ crasher: 'completed', hopeless: 'pending', next: 'pending' })
  expect(repo.calls().map(({ title }) => title)).toEqual(['crasher', 'crasher', 'hopeless', 'hopeless', 'hopeless'])
  expect(stdout).toContain('The working tree has uncommitted changes: mess.txt')
})

test('three failures in a row add the note and skip the task, which stays open', () => {
  const repo = anAgentRepo({ failing: 'exit 1', honest: `commit a.txt a; ${DONE}` })
  repo.add('failing')
  repo.add('honest')
  const { code, stdout } = run(repo)
  expect(code).toBe(1)
  expect(repo.calls().map(({ title }) => title)).toEqual(['failing', 'failing', 'failing', 'honest'])
  expect(repo.task('1')).toMatchObject({ status: 'pending', notes: ['skipped: agent failed 3 times'] })
  expect(repo.statuses()).toEqual({ failing: 'pending', honest: 'completed' })
  expect(stdout).not.toContain('All tasks complete!')
})

test('a mark on another branch does not count on this one, and the run does not continue there', () => {
  // In a box it would switch only the branch of its own git folder.
  const repo = anAgentRepo({ strayed: `git checkout -q -b other; commit a.txt a; ${DONE}` }, { isolation: 'off' })
  repo.add('strayed')
  repo.add('next')
  expect(run(repo).stdout).toContain('The checkout is on other and not on main')
  repo.git('checkout', '-q', 'main')
  expect(repo.statuses()).toEqual({ strayed: 'pending', next: 'pending' })
  expect(repo.task('1').runs[0]).toMatchObject({ reason: 'dirty-tree' })
  expect(repo.calls().map(({ title }) => title)).toEqual(['strayed'])
})

test('what the agent says streams to the terminal', () => {
  const repo = anAgentRepo({ talker: `echo "Looking around"; echo oops >&2; commit a.txt a; ${DONE}` })
  repo.add('talker')
  expect(run(repo).stdout.split('\n')).toEqual(expect.arrayContaining(['  Looking around', '  oops']))
})

test('two failures skip nothing', () => {
  const flaky = `n=$(ls "$beside/calls" | wc -l); if [ $n -lt 3 ]; then exit 1; fi; commit "$title.txt" x; ${DONE}`
  const repo = anAgentRepo({ flaky })
  repo.add('flaky')
  expect(run(repo).code).toBe(0)
  expect(repo.task('1')).toMatchObject({ status: 'completed', notes: [] })
})

test('nothing is open but something has failed: the closing lines are not printed', () => {
  const repo = anAgentRepo({ lost: 'exit 0' }, { defaults: { max_attempts: 1 } })
  repo.add('lost')
  repo.gza('work')
  expect(repo.task('1').status).toBe('failed')
  expect(run(repo).stdout).not.toContain('All tasks complete!')
})

test('an overloaded agent is asked again as often as it takes: no task is skipped for it', () => {
  const overloaded =
    '{"type":"result","subtype":"success","is_error":true,"api_error_status":529,"result":"Overloaded"}'
  const busy = `n=$(ls "$beside/calls" | wc -l); if [ $n -lt 5 ]; then echo '${overloaded}'; exit 1; fi`
  const repo = withClaude({ one: `${busy}; commit a.txt x; ${DONE}; result ok` })
  repo.add('one')
  expect(run(repo)).toMatchObject({ code: 0 })
  expect(repo.task('1')).toMatchObject({ status: 'completed', notes: [] })
  expect(repo.task('1').runs.map(({ reason }) => reason)).toEqual([...Array(4).fill('overloaded'), null])
})

test('an agent that is not there stops the run, and costs no task an attempt', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  repo.add('two')
  const { code, stdout } = run(repo, '--runner', '/nowhere/agent --yes')
  expect(code).toBe(1)
  expect(stdout).toContain('/nowhere/agent')
  expect([repo.task('1').notes, repo.task('2').runs]).toEqual([[], []])
})

test('a usage limit stops the run at one call, and the next one calls no agent', () => {
  const repo = anAgentRepo({ else: 'echo "Claude AI usage limit reached|4000000000"; exit 1' })
  repo.add('one')
  repo.add('two')
  expect(run(repo).stdout).toContain('scripted is at its usage limit until 2096-10-02T07:06:40.000Z')
  run(repo)
  expect(repo.calls()).toHaveLength(1)
  expect(repo.task('1')).toMatchObject({ status: 'pending', notes: [] })
})

function run(repo: AgentRepo, ...flags: string[]) {
  return repo.tasks('run', '--delay', '0', ...flags)
}
