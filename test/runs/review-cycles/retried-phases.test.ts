import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aReviewRepo, type ReviewActs, type ReviewRepo, reviewNames } from './review-repo.ts'

const TWICE = ['CHANGES_REQUESTED - one', 'APPROVED']
const WHOLE = ['implement', 'review 1', 'improve 1', 'review 2']

const ACTS: ReviewActs = {
  implement: 'commit feature.txt "first of $title, $(basename "$call")"',
  review: 'if [ "$cycle" = 1 ]; then judge CHANGES_REQUESTED one; else judge APPROVED; fi',
  improve: 'save feature.txt "better"',
}

/** The agent fails in one phase until `mended` is beside the repository. */
function failingIn(at: string, how: string, defaults: Record<string, unknown> = {}): ReviewRepo {
  const [phase = '', cycle = ''] = at.split(' ')
  const isIt = `[ ! -e "$beside/mended" ] && [ "$phase $cycle" = '${phase} ${cycle}' ]`
  const acts = Object.fromEntries(
    Object.entries(ACTS).map(([name, act]) => [name, `if ${isIt}; then ${how}; else ${act}; fi`]),
  )
  const repo = aReviewRepo(TWICE, acts, { defaults: { max_attempts: 1, ...defaults } })
  repo.add('feature', '-a')
  return repo
}

for (const [at, phase] of WHOLE.entries()) {
  test(`an agent that fails in the phase ${phase} is retried there`, () => {
    const repo = failingIn(phase, 'exit 3')
    expect(repo.gza('work').code).toBe(1)
    expect(repo.acted()).toEqual(WHOLE.slice(0, at + 1))
    expect(repo.task('1').runs[0]).toMatchObject({ reason: 'agent-error', phase })
    writeFileSync(repo.beside('mended'), '')
    expect(repo.gza('retry', '1').code).toBe(0)
    expect(repo.acted()).toEqual([...WHOLE.slice(0, at + 1), ...WHOLE.slice(at)])
    expect(repo.promptOf(phase)).toContain('Attempt 1 failed: agent-error')
    expect(repo.row()).toBe('✓ 1. feature completed APPROVED (2 cycles)')
    expect(repo.reviews()).toEqual(reviewNames(repo, '1', 1, 2))
    expectNothingLeft(repo)
  })
}

const LIMITS: [phase: string, setting: string][] = [
  ['implement', 'timeout_minutes'],
  ['review 1', 'review_timeout_minutes'],
  ['improve 1', 'improve_timeout_minutes'],
]

for (const [phase, setting] of LIMITS) {
  test(`the phase ${phase} ends after ${setting}, keeps what it has, and is retried there`, () => {
    const repo = failingIn(phase, 'save half.txt x; forever', { [setting]: 0.05 })
    expect(repo.gza('work').code).toBe(1)
    expect(repo.task('1').runs[0]).toMatchObject({ reason: 'timed-out', phase })
    expect(repo.inbox().map(({ code }) => code)).toEqual(['TIMED_OUT'])
    expectNothingLeft(repo)
    const isWork = !phase.startsWith('review')
    expect(repo.subjects()[0]?.startsWith('WIP: ') ?? false).toBe(isWork)
    writeFileSync(repo.beside('mended'), '')
    repo.write('gza.yaml', readFileSync(`${repo.dir}/gza.yaml`, 'utf8').replace('0.05', '30'))
    expect(repo.gza('retry', '1').code).toBe(0)
    const at = WHOLE.indexOf(phase)
    expect(repo.acted()).toEqual([...WHOLE.slice(0, at + 1), ...WHOLE.slice(at)])
  })
}

test('gza retry --fresh begins with the implementation, and leaves the reviews of the first attempt alone', () => {
  const repo = failingIn('improve 1', 'exit 3')
  expect(repo.gza('work').code).toBe(1)
  writeFileSync(repo.beside('mended'), '')
  expect(repo.gza('retry', '1', '--fresh').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', ...WHOLE])
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', '1-again-1', 1, 2))
  expect(repo.row()).toBe('✓ 1. feature completed APPROVED (2 cycles)')
  expectNothingLeft(repo)
})

test('a fresh review cycle that was killed continues where it was', () => {
  const repo = failingIn('improve 1', 'exit 3')
  expect(repo.gza('work').code).toBe(1)
  writeFileSync(repo.beside('mended'), '')
  expect(repo.withEnv({ GZA_CRASH_AT: 'heard:2' }).gza('retry', '1', '--fresh').code).toBe(137)
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', ...WHOLE])
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', '1-again-1', 1, 2))
})

test('a text that was changed since is implemented anew', () => {
  const repo = failingIn('improve 1', 'exit 3')
  expect(repo.gza('work').code).toBe(1)
  expect(repo.gza('edit', '1', '--content', 'feature, but blue').code).toBe(0)
  writeFileSync(repo.beside('mended'), '')
  expect(repo.gza('retry', '1').code).toBe(0)
  expect(repo.acted()).toEqual(['implement', 'review 1', 'improve 1', ...WHOLE])
})
