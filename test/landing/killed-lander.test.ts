import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LAND_STEPS } from '../../src/core/run/named-steps.ts'
import type { InboxItem } from '../../src/reports/inbox-item.ts'
import { duringCheckout, FILTERED } from '../support/during-checkout.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

const SIGKILLED = 137

/** Everything that must be true after a landing, however often it was cut off. */
function expectLanded(repo: AgentRepo, titles: readonly string[]): void {
  expect(subjects(repo, 'main')).toEqual([...titles.toReversed(), 'first'])
  for (const [index, title] of titles.entries()) {
    const task = repo.task(String(index + 1))
    expect(task.landings.map(({ outcome }) => outcome)).toEqual(['landed'])
    const [landed] = task.landings[0]?.commits ?? []
    expect(task.closed_commit).toBe(landed as string)
    expect(repo.git('log', '-1', '--format=%s', landed as string)).toBe(title)
    expect(repo.git('notes', '--ref=tasks', 'show', landed as string)).toBe(`${task.id}: ${title}`)
  }
  expect(remains(repo)).toEqual({ worktrees: [], refs: '', leases: 0, status: '', verify: 0 })
}

function remains(repo: AgentRepo) {
  const live = new Database(join(repo.dir, '.git/gza/live.db'))
  const leases = live.query('SELECT count(*) AS n FROM leases WHERE released_at IS NULL').get() as { n: number }
  live.close()
  return {
    worktrees: repo.worktrees(),
    refs: repo.git('for-each-ref', 'refs/gza/'),
    leases: leases.n,
    status: repo.git('status', '--porcelain'),
    verify: repo.gza('verify').code,
  }
}

for (const step of LAND_STEPS) {
  for (const [where, leave] of [
    ['checked out', () => {}],
    ['checked out nowhere', (repo: AgentRepo) => void repo.git('checkout', '-q', '--detach')],
  ] as const) {
    test(`a landing on a base that is ${where}, killed at ${step}, is completed by the next`, () => {
      const repo = done(['one', 'two'])
      leave(repo)
      const merge = ['merge', '--all', '--squash', '--branch', 'main']
      expect(repo.withEnv({ GZA_CRASH_AT: step }).gza(...merge).code).toBe(SIGKILLED)
      outputOf(repo.gza(...merge))
      if (where === 'checked out') expect(existsSync(join(repo.dir, 'two.txt'))).toBe(true)
      repo.git('checkout', '-q', 'main')
      expectLanded(repo, ['one', 'two'])
    })
  }
}

for (const step of ['land-intended', 'land-moved', 'land-recorded'] as const) {
  test(`with the store of leases lost, a landing killed at ${step} is still completed`, () => {
    const repo = done(['one', 'two'])
    expect(repo.withEnv({ GZA_CRASH_AT: step }).gza('merge', '--all', '--squash').code).toBe(SIGKILLED)
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(repo.dir, `.git/gza/live.db${suffix}`), { force: true })
    outputOf(repo.gza('merge', '--all', '--squash'))
    expectLanded(repo, ['one', 'two'])
  })
}

for (const step of ['land-intended', 'land-moved', 'land-recorded'] as const) {
  test(`the inbox shows a landing killed at ${step}, and its command completes it`, () => {
    const repo = done(['one', 'two'])
    expect(repo.withEnv({ GZA_CRASH_AT: step }).gza('merge', '--all', '--squash').code).toBe(SIGKILLED)
    const [item, ...others] = JSON.parse(outputOf(repo.gza('inbox', '--json'))) as InboxItem[]
    expect(others).toEqual([])
    expect(item).toMatchObject({ code: 'LANDING_INTERRUPTED', task: null, commands: ['gza merge 1 2'] })
    outputOf(repo.run(['sh', '-c', item?.commands[0] ?? 'false']))
    expectLanded(repo, ['one', 'two'])
    expect(outputOf(repo.gza('inbox', '--json'))).toBe('[]\n')
  })
}

test('a base that was half-landed, and then committed to by a person, is completed all the same', () => {
  const repo = done(['one'])
  expect(repo.withEnv({ GZA_CRASH_AT: 'land-moved' }).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  expect(repo.task('1').landings).toEqual([])
  repo.commit('by hand', { 'hand.txt': 'x\n' })
  outputOf(repo.gza('merge', '--all'))
  expect(subjects(repo)).toEqual(['by hand', 'one', 'first'])
  expect(repo.task('1').landings.map(({ outcome }) => outcome)).toEqual(['landed'])
  expect(remains(repo)).toMatchObject({ worktrees: [], refs: '', leases: 0 })
})

for (const step of LAND_STEPS) {
  test(`gza work killed at ${step} of its own landing continues from there`, () => {
    const repo = anAgentRepo({ else: 'save "$title.txt" "$title"' }, { config: { land: 'squash' } })
    repo.add('one')
    repo.add('two')
    expect(repo.withEnv({ GZA_CRASH_AT: `${step}:2` }).gza('work', '--all').code).toBe(SIGKILLED)
    outputOf(repo.gza('work', '--all'))
    // The agent of the second task may have been at work when all of it was killed.
    expect(repo.calls().filter(({ title }) => title === 'one').length).toBe(1)
    expectLanded(repo, ['one', 'two'])
  })
}

test('a task that was being sent back when the lander died goes back once', () => {
  const repo = done(['one', 'two'])
  configure(repo, { verify: { command: 'test ! -e bad.txt' } })
  commitOn(repo, repo.task('1').branch, 'bad.txt')
  expect(repo.withEnv({ GZA_CRASH_AT: 'land-returned' }).gza('merge', '--all').code).toBe(SIGKILLED)
  outputOf(repo.gza('merge', '2'))
  expect(repo.task('1')).toMatchObject({ status: 'pending', landings: [{ outcome: 'red' }] })
  expect(repo.task('2').landings).toMatchObject([{ outcome: 'landed' }])
})

test('verification that outlives its lander is ended by the next one', () => {
  // In a box it would end with its lander.
  const repo = done(['one'], {}, { isolation: 'off' })
  configure(repo, { verify: { command: `sh ${repo.beside('check')}` } })
  repo.write('../check', `${repo.beside('lurk')} &\nkill -9 $(cat ${repo.beside('pid')})\nsleep 3000\n`)
  expect(repo.run(['sh', '-c', 'echo $$ >../pid; exec gza merge 1']).code).toBe(SIGKILLED)
  repo.write('../check', 'true\n')
  outputOf(repo.gza('merge', '1'))
  expect(repo.survivors()).toEqual([])
  expect(remains(repo)).toEqual({ worktrees: [], refs: '', leases: 0, status: '', verify: 0 })
})

test('git that still lays out the checkout of a killed lander is ended before the next one builds there', () => {
  const repo = done(['one'], {}, FILTERED)
  duringCheckout(repo, `kill -9 $gza; exec ${repo.beside('lurk')}`)
  expect(repo.gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  expect(repo.survivors()).not.toEqual([])
  outputOf(repo.gza('merge', '1', '--squash'))
  expect(repo.survivors()).toEqual([])
  expectLanded(repo, ['one'])
})

test('git that still picks for a killed lander that had landed before is ended as well', () => {
  const repo = done(['one', 'two'], {}, { ...FILTERED, config: { land_batch: 1 } })
  repo.commit('by hand', { 'hand.txt': 'x\n' })
  repo.write('.git/info/attributes', 'two.txt filter=slow\n')
  duringCheckout(repo, `kill -9 $gza; exec ${repo.beside('lurk')}`)
  expect(repo.gza('merge', '--all', '--squash').code).toBe(SIGKILLED)
  expect(repo.survivors()).not.toEqual([])
  outputOf(repo.gza('merge', '--all', '--squash'))
  expect(repo.survivors()).toEqual([])
  expect(subjects(repo, 'main')).toEqual(['two', 'one', 'by hand', 'first'])
})

test('the steps of a landing in docs/facts.md are those of the program, in its order', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/facts.md'), 'utf8')
  const steps = [...page.matchAll(/^\| (land-[a-z]+) \| .* \|$/gm)].map(([, name]) => name)
  expect(steps).toEqual([...LAND_STEPS, 'land-returned'])
})
