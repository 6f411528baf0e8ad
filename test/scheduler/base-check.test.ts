import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { onTerminal } from '../live-output/pseudo-terminal.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'
import { spawnGza } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'

const PYTEST = 'FAILED test_cart.py::test_total - assert 3 == 4'
/** Notes where it runs, and fails as pytest does unless the tree has fixed.txt. */
const NEEDS_FIX = `echo "$PWD" >> "$BESIDE/checks"; test -e fixed.txt || { echo "${PYTEST}"; exit 1; }`

function aCheckedRepo(acts: Record<string, string>, command: string, options: AgentRepoOptions = {}): AgentRepo {
  const config = { verify: { command }, ...options.config }
  const repo = anAgentRepo(acts, { ...options, config })
  const env = { BESIDE: repo.beside('.') }
  return {
    ...repo,
    gza: (...args) => repo.run(['gza', ...args], { env }),
    tasks: (...args) => repo.run(['git-tasks', ...args], { env }),
    start: (argv) => repo.start(argv, { env }),
  }
}

/** How often the check ran: on the base and in landings, and on the work of tasks. */
function checks(repo: AgentRepo): { base: number; tasks: number } {
  const file = repo.beside('checks')
  const places = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const base = places.filter((path) => path.includes('/.land/')).length
  return { base, tasks: places.length - base }
}

test('on a red base no agent starts and no attempt is lost; once it is green, work continues and it is not checked again', () => {
  const repo = aCheckedRepo({}, NEEDS_FIX)
  for (const title of ['one', 'two']) repo.add(title)
  const cause = `exited with 1: test_cart.py::test_total: assert 3 == 4`
  const work = repo.gza('work', '--all')
  expect(work.code).toBe(1)
  expect(work.stdout).toMatch(/✗ main \([0-9a-f]{7}\) fails its own checks, so no agent is started: /)
  expect(work.stdout).toContain(cause)
  expect(work.stdout).toContain('  See it in a checkout of main: echo')
  expect([repo.calls(), repo.task('1').runs, repo.worktrees()]).toEqual([[], [], []])
  // A red result counts only if it is red twice.
  expect(checks(repo)).toEqual({ base: 2, tasks: 0 })
  expect(repo.inbox()).toMatchObject([
    {
      code: 'BASE_RED',
      subject: 'main',
      commands: [NEEDS_FIX, 'gza work --all', 'gza work --all --no-base-check', 'gza queue'],
    },
  ])
  expect(repo.inbox()[0]?.detail).toContain(cause)
  expect([repo.why('1'), repo.gza('why', '1').stdout]).toEqual(['BASE_RED', expect.stringContaining(cause)])
  const plan = JSON.parse(repo.gza('work', '--all', '--dry-run', '--json').stdout)
  expect([plan.batches, plan.not_run.map(({ code }: { code: string }) => code)]).toEqual([[], ['BASE_RED', 'BASE_RED']])
  expect(repo.gza('doctor').stdout).toContain('fails its own checks, so no agent starts')
  expect(repo.tasks('work').stdout).toContain('  git tasks work looks again. git tasks work ID lets an agent mend it.')
  const report = JSON.parse(repo.gza('work', '--json').stdout)
  expect(report.base_red).toMatchObject({ base: 'main', commit: repo.git('rev-parse', 'main'), command: NEEDS_FIX })

  repo.commit('fix', { 'fixed.txt': '' })
  expect(repo.inbox()).toEqual([])
  rmSync(repo.beside('checks'))
  outputOf(repo.gza('work'))
  outputOf(repo.gza('work'))
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(checks(repo)).toEqual({ base: 1, tasks: 2 })
})

test('a task that a person names starts on a red base, with a warning, and has the output in its prompt', () => {
  const repo = aCheckedRepo({ mend: 'commit fixed.txt 1' }, NEEDS_FIX)
  repo.add('mend')
  const { code, stdout } = repo.gza('work', '1')
  expect([code, stdout]).toEqual([0, expect.stringContaining('assert 3 == 4. What you named starts anyway.')])
  const [call] = repo.calls()
  expect(call?.prompt).toContain('the checks on the base, which fail before any work of yours')
  expect(call?.prompt).toContain(PYTEST)
  expect(repo.task('1')).toMatchObject({ status: 'completed', attempts: 1 })
})

test('--no-base-check starts agents without a look, and what fails then is the task’s failure', () => {
  const repo = aCheckedRepo({}, NEEDS_FIX, { defaults: { max_attempts: 1 } })
  repo.add('one')
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  expect([repo.calls().length, checks(repo)]).toEqual([1, { base: 0, tasks: 1 }])
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
})

test('a base that fails once by chance is not red, and a base that moves by landing is not checked again', () => {
  const chance = `echo "$PWD" >> "$BESIDE/checks"; test -e "$BESIDE/lucky" || { touch "$BESIDE/lucky"; exit 1; }`
  // What fails in a box is checked once more outside of it.
  const repo = aCheckedRepo({}, chance, { config: { land: 'merge' }, isolation: 'off' })
  for (const title of ['one', 'two']) repo.add(title)
  outputOf(repo.gza('work', '--all'))
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toContain('two.txt')
  // Twice before the first agent, once for each landing, and once at the end.
  expect(checks(repo)).toEqual({ base: 5, tasks: 2 })
})

test('of two workers one checks the base and the other waits for the result', async () => {
  const slow = `echo "$PWD" >> "$BESIDE/checks"; until test -e "$BESIDE/go"; do sleep 0.05; done`
  const repo = aCheckedRepo({}, slow)
  for (const title of ['one', 'two']) repo.add(title)
  const first = repo.start(['gza', 'work', '--all'])
  await until(() => checks(repo).base === 1)
  const env = { ...repo.env, BESIDE: repo.beside('.') }
  const second = onTerminal(['gza', 'work', '--all'], { cwd: repo.dir, env, columns: 200 })
  await second.until((lines) => lines.some((line) => line.startsWith('Checking main (')))
  writeFileSync(repo.beside('go'), '')
  expect([(await first).code, await second.exited]).toEqual([0, 0])
  expect([repo.statuses(), checks(repo)]).toEqual([
    { one: 'completed', two: 'completed' },
    { base: 1, tasks: 2 },
  ])
})

test('a base that moves after it failed once by chance has to fail twice again', async () => {
  const command = `echo "$PWD" >> "$BESIDE/checks"; touch "$BESIDE/began"
    until test -e "$BESIDE/go"; do sleep 0.05; done
    test "$(wc -l < "$BESIDE/checks")" -gt 2`
  const repo = aCheckedRepo({}, command)
  repo.add('one')
  const work = repo.start(['gza', 'work', '--all'])
  await until(() => existsSync(repo.beside('began')))
  repo.commit('person', { 'person.txt': '' })
  writeFileSync(repo.beside('go'), '')
  expect([(await work).code, checks(repo)]).toEqual([0, { base: 3, tasks: 1 }])
})

test('Ctrl-C during the check of the base ends it, and does not call the work done', async () => {
  const repo = aCheckedRepo({}, 'touch "$BESIDE/began"; exec "$BESIDE/lurk"')
  repo.add('one')
  const work = spawnGza({ dir: repo.dir, env: { ...repo.env, BESIDE: repo.beside('.') } }, 'work', '--all')
  await until(() => existsSync(repo.beside('began')))
  work.process.kill('SIGINT')
  expect((await work.ended).code).toBe(0)
  expect(work.printed()).toContain('Stopped before a task was started.\n')
  expect([repo.survivors(), repo.worktrees(), repo.statuses()]).toEqual([[], [], { one: 'pending' }])
})

test('a base that a person breaks during the night lets running tasks end, and no further one start', async () => {
  const acts = { one: 'touch "$beside/began"; until test -e "$beside/go"; do sleep 0.05; done; commit one.txt 1' }
  const repo = aCheckedRepo(acts, 'test ! -e broken.txt')
  for (const title of ['one', 'two']) repo.add(title)
  const work = repo.start(['gza', 'work', '--all'])
  await until(() => existsSync(repo.beside('began')))
  repo.commit('break', { 'broken.txt': '' })
  writeFileSync(repo.beside('go'), '')
  const { code, stdout } = await work
  expect([code, stdout]).toEqual([1, expect.stringContaining('fails its own checks, so no agent is started')])
  expect([repo.statuses(), repo.calls().length]).toEqual([{ one: 'completed', two: 'pending' }, 1])
})

test('a check that now fails on the base too is a fault of the machine: no attempt is lost, and the work is judged later', () => {
  const repo = aCheckedRepo(
    { one: 'commit one.txt 1; rm "$beside/service"' },
    'test -e "$BESIDE/service" || { echo no database; exit 9; }',
  )
  writeFileSync(repo.beside('service'), '')
  for (const title of ['one', 'two']) repo.add(title)
  const work = repo.gza('work', '--all')
  expect(work.code).toBe(1)
  expect(work.stderr).toContain('Error: The check now fails on main too, without any work: ')
  expect(work.stderr).toContain('exited with 9: no database')
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted', reason: 'interrupted' }] })
  expect(repo.inbox()).toMatchObject([{ code: 'MACHINE_FAULT' }])
  expect(repo.inbox()[0]?.detail).toContain('no database')
  // The next work looks at the base first, and calls nobody.
  expect([repo.gza('work', '--all').code, repo.calls().length]).toEqual([1, 1])
  writeFileSync(repo.beside('service'), '')
  outputOf(repo.gza('work', '--all'))
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed' })
  expect(repo.calls().map(({ title }) => title)).toEqual(['one', 'two'])
})

test('a set-up that fails on the base too costs no attempt; one that fails with the agent’s work alone does', () => {
  const setup = 'test -e "$BESIDE/registry" || { echo registry unreachable >&2; exit 7; }; test ! -e bad.txt'
  const repo = aCheckedRepo({ one: 'commit bad.txt 1; exit 3' }, 'true', {
    defaults: { max_attempts: 2 },
    config: { verify: {}, worktree: { setup } },
  })
  repo.add('one')
  const work = repo.gza('work')
  expect([work.code, work.stderr]).toEqual([
    1,
    expect.stringContaining('The set-up now fails on main too, without any work'),
  ])
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted' }] })
  writeFileSync(repo.beside('registry'), '')
  expect(repo.gza('work').code).toBe(1)
  const { status, runs } = repo.task('1')
  expect([status, runs.map(({ reason }) => reason)]).toEqual(['failed', ['interrupted', 'agent-error', 'setup-failed']])
})

test('the check of the base prints a line when it begins and one when it ends, with the time it took', () => {
  const repo = aCheckedRepo({}, NEEDS_FIX)
  repo.add('one')
  const red = repo.gza('work', '--all')
  const at = repo.git('rev-parse', '--short=7', 'main')
  expect(red.stderr).toStartWith(
    `Checking main (${at}) before agents start: ${NEEDS_FIX}\nmain (${at}) fails its checks (`,
  )
  expect(red.stderr).toMatch(/^main \(\w+\) fails its checks \(\d+s\)$/m)
  repo.commit('fix', { 'fixed.txt': '' })
  const green = repo.gza('work', '--json')
  expect(green.stderr).toMatch(/^Checking main \(\w+\) .*\nmain \(\w+\) passes its checks \(\d+s\)\n/)
  expect(JSON.parse(green.stdout).completed).toMatchObject([{ number: 1 }])
})

test('with --wait a red base is waited for: nothing is held, and work continues once the base has moved and is green', async () => {
  const repo = aCheckedRepo({}, NEEDS_FIX)
  for (const title of ['one', 'two']) repo.add(title)
  const work = spawnGza({ dir: repo.dir, env: { ...repo.env, BESIDE: repo.beside('.') } }, 'work', '--all', '--wait')
  const waits = () => work.printed().split('Waiting for another commit on main').length - 1
  await until(() => waits() === 1, 'it waits')
  expect(work.printed()).toContain('assert 3 == 4\n  See it in a checkout of main: ')
  expect([repo.why('1'), repo.inbox().map(({ code }) => code)]).toEqual(['BASE_RED', ['BASE_RED']])
  expect([repo.gza('ps').stderr, repo.worktrees(), repo.calls()]).toEqual(['Nothing is running.\n', [], []])
  // It moves and is still red: it is checked again, and waited for again.
  repo.commit('not yet', { 'other.txt': '' })
  await until(() => waits() === 2, 'it waits again')
  expect(checks(repo).base).toBe(4)
  repo.commit('fix', { 'fixed.txt': '' })
  expect((await work.ended).code).toBe(0)
  expect([repo.statuses(), repo.inbox()]).toEqual([{ one: 'completed', two: 'completed' }, []])
  expect(checks(repo)).toEqual({ base: 5, tasks: 2 })
})

test('--max-wait bounds the wait for a red base, which then ends as without it; Ctrl-C ends it at once', async () => {
  const repo = aCheckedRepo({}, NEEDS_FIX)
  repo.add('one')
  const { code, stdout } = repo.gza('work', '--all', '--wait', '--max-wait', '0')
  expect([code, stdout]).toEqual([1, expect.stringContaining('fails its own checks, so no agent is started: ')])
  expect(stdout).not.toContain('Waiting')
  const env = { ...repo.env, BESIDE: repo.beside('.') }
  const person = onTerminal(['gza', 'work', '--all'], { cwd: repo.dir, env, columns: 200 })
  await person.until((lines) => lines.some((line) => line.includes('Waiting for another commit on main')))
  person.type('\u0003')
  await person.exited
  expect([repo.calls(), repo.statuses()]).toEqual([[], { one: 'pending' }])
})

test('a base that another gza has found green is not waited for, although it has not moved', async () => {
  const repo = aCheckedRepo({}, 'echo "$PWD" >> "$BESIDE/checks"; test -e "$BESIDE/service"')
  repo.add('one')
  const env = { ...repo.env, BESIDE: repo.beside('.') }
  const work = spawnGza({ dir: repo.dir, env }, 'work', '--all', '--wait')
  await until(() => work.printed().includes('Waiting for another commit'), 'it waits')
  writeFileSync(repo.beside('service'), '')
  repo.add('two')
  outputOf(repo.gza('work', '--count', '1'))
  expect((await work.ended).code).toBe(0)
  expect([repo.statuses(), checks(repo)]).toEqual([
    { one: 'completed', two: 'completed' },
    { base: 3, tasks: 2 },
  ])
})

test('finished work that cannot land on a red base waits with it, and lands once the base is mended', async () => {
  const acts = { one: 'touch "$beside/began"; until test -e "$beside/go"; do sleep 0.05; done; commit one.txt 1' }
  const repo = aCheckedRepo(acts, 'test ! -e broken.txt', { config: { land: 'merge' } })
  repo.add('one')
  const env = { ...repo.env, BESIDE: repo.beside('.') }
  const work = spawnGza({ dir: repo.dir, env }, 'work', '--all', '--wait')
  await until(() => existsSync(repo.beside('began')))
  repo.commit('break', { 'broken.txt': '' })
  writeFileSync(repo.beside('go'), '')
  await until(() => work.printed().includes('Waiting for another commit on main'), 'it waits')
  expect(repo.statuses()).toEqual({ one: 'completed' })
  repo.git('rm', '--quiet', 'broken.txt')
  repo.commit('mend', {})
  expect((await work.ended).code).toBe(0)
  expect(repo.git('show', 'main:one.txt')).not.toBe('')
})
