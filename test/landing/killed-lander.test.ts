import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LAND_STEPS } from '../../src/core/landing/land-steps.ts'
import { FILTERED, whileLaidOut } from '../support/during-checkout.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage, type Stage } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

const SIGKILLED = 137

/** Everything that must be true after a landing, however often it was cut off. */
function expectLanded(stage: Stage, titles: readonly string[]): void {
  expect(subjects(stage, 'main')).toEqual([...titles.toReversed(), 'first'])
  for (const [index, title] of titles.entries()) {
    const task = stage.task(String(index + 1))
    expect(task.landings.map(({ outcome }) => outcome)).toEqual(['landed'])
    const [landed] = task.landings[0]?.commits ?? []
    expect(task.closed_commit).toBe(landed as string)
    expect(stage.git('log', '-1', '--format=%s', landed as string)).toBe(title)
    expect(stage.git('notes', '--ref=tasks', 'show', landed as string)).toBe(`${task.id}: ${title}`)
  }
  expect(remains(stage)).toEqual({ worktrees: [], refs: '', leases: 0, status: '', verify: 0 })
}

function remains(stage: Stage) {
  const live = new Database(join(stage.dir, '.git/gza/live.db'))
  const leases = live.query('SELECT count(*) AS n FROM leases WHERE released_at IS NULL').get() as { n: number }
  live.close()
  return {
    worktrees: stage.worktrees(),
    refs: stage.git('for-each-ref', 'refs/gza/'),
    leases: leases.n,
    status: stage.git('status', '--porcelain'),
    verify: stage.gza('verify').code,
  }
}

for (const step of LAND_STEPS) {
  for (const [where, leave] of [
    ['checked out', () => {}],
    ['checked out nowhere', (stage: Stage) => void stage.git('checkout', '-q', '--detach')],
  ] as const) {
    test(`a landing on a base that is ${where}, killed at ${step}, is completed by the next`, () => {
      const stage = done(['one', 'two'])
      leave(stage)
      const merge = ['merge', '--all', '--squash', '--branch', 'main']
      expect(stage.withEnv({ GZA_CRASH_AT: step }).gza(...merge).code).toBe(SIGKILLED)
      outputOf(stage.gza(...merge))
      if (where === 'checked out') expect(existsSync(join(stage.dir, 'two.txt'))).toBe(true)
      stage.git('checkout', '-q', 'main')
      expectLanded(stage, ['one', 'two'])
    })
  }
}

for (const step of ['land-intended', 'land-moved', 'land-recorded'] as const) {
  test(`with the store of leases lost, a landing killed at ${step} is still completed`, () => {
    const stage = done(['one', 'two'])
    expect(stage.withEnv({ GZA_CRASH_AT: step }).gza('merge', '--all', '--squash').code).toBe(SIGKILLED)
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(stage.dir, `.git/gza/live.db${suffix}`), { force: true })
    outputOf(stage.gza('merge', '--all', '--squash'))
    expectLanded(stage, ['one', 'two'])
  })
}

test('a base that was half-landed, and then committed to by a person, is completed all the same', () => {
  const stage = done(['one'])
  expect(stage.withEnv({ GZA_CRASH_AT: 'land-moved' }).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  expect(stage.task('1').landings).toEqual([])
  stage.commit('by hand', { 'hand.txt': 'x\n' })
  outputOf(stage.gza('merge', '--all'))
  expect(subjects(stage)).toEqual(['by hand', 'one', 'first'])
  expect(stage.task('1').landings.map(({ outcome }) => outcome)).toEqual(['landed'])
  expect(remains(stage)).toMatchObject({ worktrees: [], refs: '', leases: 0 })
})

for (const step of LAND_STEPS) {
  test(`gza work killed at ${step} of its own landing goes on from there`, () => {
    const stage = aStage({ else: 'save "$title.txt" "$title"' }, { config: { land: 'squash' } })
    stage.add('one')
    stage.add('two')
    expect(stage.withEnv({ GZA_CRASH_AT: `${step}:2` }).gza('work', '--all').code).toBe(SIGKILLED)
    outputOf(stage.gza('work', '--all'))
    // The agent of the second task may have been at work when all of it was killed.
    expect(stage.calls().filter(({ title }) => title === 'one').length).toBe(1)
    expectLanded(stage, ['one', 'two'])
  })
}

test('a task that was being sent back when the lander died goes back once', () => {
  const stage = done(['one', 'two'])
  configure(stage, { verify: { command: 'test ! -e bad.txt' } })
  commitOn(stage, stage.task('1').branch, 'bad.txt')
  expect(stage.withEnv({ GZA_CRASH_AT: 'land-returned' }).gza('merge', '--all').code).toBe(SIGKILLED)
  outputOf(stage.gza('merge', '2'))
  expect(stage.task('1')).toMatchObject({ status: 'pending', landings: [{ outcome: 'red' }] })
  expect(stage.task('2').landings).toMatchObject([{ outcome: 'landed' }])
})

test('verification that outlives its lander is ended by the next one', () => {
  const stage = done(['one'])
  configure(stage, { verify: { command: `sh ${stage.beside('check')}` } })
  stage.write('../check', `${stage.beside('lurk')} &\nkill -9 $(cat ${stage.beside('pid')})\nsleep 3000\n`)
  expect(stage.run(['sh', '-c', 'echo $$ >../pid; exec gza merge 1']).code).toBe(SIGKILLED)
  stage.write('../check', 'true\n')
  outputOf(stage.gza('merge', '1'))
  expect(stage.survivors()).toEqual([])
  expect(remains(stage)).toEqual({ worktrees: [], refs: '', leases: 0, status: '', verify: 0 })
})

test('git that still lays out the checkout of a killed lander is ended before the next one builds there', () => {
  const stage = done(['one'], {}, FILTERED)
  whileLaidOut(stage, `kill -9 $gza; exec ${stage.beside('lurk')}`)
  expect(stage.gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  expect(stage.survivors()).not.toEqual([])
  outputOf(stage.gza('merge', '1', '--squash'))
  expect(stage.survivors()).toEqual([])
  expectLanded(stage, ['one'])
})

test('git that still picks for a killed lander, who had landed before, is ended as well', () => {
  const stage = done(['one', 'two'], {}, { ...FILTERED, config: { land_batch: 1 } })
  stage.commit('by hand', { 'hand.txt': 'x\n' })
  stage.write('.git/info/attributes', 'two.txt filter=slow\n')
  whileLaidOut(stage, `kill -9 $gza; exec ${stage.beside('lurk')}`)
  expect(stage.gza('merge', '--all', '--squash').code).toBe(SIGKILLED)
  expect(stage.survivors()).not.toEqual([])
  outputOf(stage.gza('merge', '--all', '--squash'))
  expect(stage.survivors()).toEqual([])
  expect(subjects(stage, 'main')).toEqual(['two', 'one', 'by hand', 'first'])
})

test('the steps of a landing in docs/facts.md are those of the program, in its order', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/facts.md'), 'utf8')
  const steps = [...page.matchAll(/^\| (land-[a-z]+) \| .* \|$/gm)].map(([, name]) => name)
  expect(steps).toEqual([...LAND_STEPS, 'land-returned'])
})
