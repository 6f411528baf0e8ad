import { expect, test } from 'bun:test'
import { aReviewRepo } from '../runs/review-cycles/review-repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

const TEST_FILE = "test('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n"
const FILES = { 'test/add.test.js': TEST_FILE, 'check.sh': 'exit 0\n' }
const SKIP = `sed -i 's/^test(/test.skip(/' test/add.test.js; git commit -qam "$title"`

test('a skipped test is reported with the run, in show, in the queue and before landing', () => {
  const repo = anAgentRepo({ skips: SKIP }, { files: FILES })
  repo.add('skips')
  repo.add('works')
  const line = "weakened: test/add.test.js:1 skips a test: test.skip('adds', () => {\n"
  expect(repo.gza('work').stdout).toContain(`✓ Task #1 completed\n  ${line}`)
  const found = [{ kind: 'test-skipped', path: 'test/add.test.js', line: 1, text: "test.skip('adds', () => {" }]
  expect(repo.task('1').runs.map(({ weakened }) => weakened)).toEqual([found])
  expect(repo.gza('show', '1').stdout).toContain(line)
  expect(repo.gza('queue').stdout).toContain(`  ${line}`)
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toMatchObject([{ number: 1, code: 'READY', weakened: found }])
  expect(repo.gza('merge', '1', '--dry-run').stdout).toContain(
    "Task #1 weakens checks: test/add.test.js:1 skips a test: test.skip('adds', () => { (WEAKENED)",
  )
  expect(repo.gza('merge', '1').code).toBe(0)
  expect(repo.gza('work').stdout).not.toContain('weakened')
  expect(repo.task('2').runs[0]?.weakened).toBeUndefined()
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toMatchObject([{ number: 2, weakened: [] }])
})

test('with weakened: ask it does not land unattended and is in the inbox, until a person lands it', () => {
  const config = { land: 'merge', weakened: 'ask', verify: { command: 'sh check.sh' } }
  const repo = anAgentRepo({ skips: SKIP, checks: 'commit check.sh "exit 0 # always"' }, { files: FILES, config })
  for (const title of ['skips', 'checks', 'works']) repo.add(title)
  expect(repo.gza('work', '--all').code).toBe(0)
  const landed = () => ['1', '2', '3'].map((ref) => repo.task(ref).landings.length)
  expect(landed()).toEqual([0, 0, 1])
  const waiting = repo.inbox().map(({ task, code, commands }) => [task?.number, code, commands])
  expect(waiting.sort()).toEqual(
    [1, 2].map((number) => [number, 'WEAKENED', [`gza show ${number}`, `gza diff ${number}`, `gza merge ${number}`]]),
  )
  expect(repo.inbox().map(({ detail }) => detail)).toContain(
    'it weakens checks: check.sh:1 changes what the checks run or how: exit 0 # always',
  )
  expect(repo.gza('merge', '1', '2').code).toBe(0)
  expect([landed(), repo.inbox()]).toEqual([[1, 1, 1], []])
})

test('it is found although attributes of the tree call the file binary, or a person shows diffs otherwise', () => {
  const repo = anAgentRepo({ skips: `echo '*.js binary' >.gitattributes; git add -A; ${SKIP}` }, { files: FILES })
  repo.git('config', 'diff.noprefix', 'true')
  repo.git('config', 'diff.interHunkContext', '20')
  repo.git('config', 'diff.external', 'false')
  repo.add('skips')
  expect(repo.gza('work').stdout).toContain('weakened: test/add.test.js:1 skips a test')
})

test('with weakened: ask the branch itself is read, also what a person has committed on it', () => {
  const repo = anAgentRepo({}, { files: FILES, config: { weakened: 'ask' } })
  repo.add('works')
  expect(repo.gza('work').code).toBe(0)
  const branch = repo.task('1').branch ?? ''
  repo.git('switch', '-q', branch)
  repo.commit('skip it', { 'test/add.test.js': TEST_FILE.replace('test(', 'test.skip(') })
  repo.git('switch', '-q', 'main')
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toMatchObject([
    { weakened: [{ kind: 'test-skipped', line: 1 }] },
  ])
})

test('a reviewer is told where the change makes checks see less', () => {
  const repo = aReviewRepo(['APPROVED'], { implement: SKIP }, { files: FILES })
  repo.add('one', '-a')
  expect(repo.gza('work').stdout).toContain('weakened: test/add.test.js:1 skips a test')
  expect(repo.promptOf('review 1')).toMatch(
    /^--- BEGIN places where the change seems to make checks see less: judge .* ---\ntest\/add\.test\.js:1 skips a test: .*\n--- END/m,
  )
})

test('git tasks run reports it too', () => {
  const act = `${SKIP}; git tasks done "$task"`
  const repo = anAgentRepo({ skips: act }, { files: FILES })
  repo.add('skips')
  const run = repo.tasks('run')
  expect([run.code, repo.task('1').runs[0]?.weakened]).toMatchObject([0, [{ kind: 'test-skipped' }]])
})

test('a wrong value is an error with the right ones, and only a person may turn asking off', () => {
  const wrong = anAgentRepo({}, { config: { weakened: 'never' } })
  expect(wrong.gza('config').stderr).toContain('must be one of report, ask')
  const repo = anAgentRepo({}, { config: { weakened: 'report' }, env: { GZA_TRUST: '' } })
  repo.write('../home/.config/gza/config.yaml', 'isolation: off\nweakened: ask\n')
  repo.add('one')
  const merge = repo.gza('merge', '--all')
  expect([merge.code, merge.stderr]).toEqual([1, expect.stringContaining('wants to land weakened checks by itself')])
})
