/** Who gets the slot of a run that only gza itself has still something to do for. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { aFactory, expectOk, NOTHING, remains } from '../runs/crash-recovery/crash-repo.ts'
import { bin } from '../support/built-program.ts'
import { aStage, type Stage, type StageOptions } from '../support/scripted-agent.ts'

const WRITE_REVIEW = `path=$(grep -o '\\.gza/[a-z]*/[0-9a-z-]*\\.md' <<<"$prompt" | head -1); save "$path" 'Verdict: APPROVED'`

/** `first` shows that the agent works; `long` has the other slot until `late` or the review has begun. */
function aTeam(options: StageOptions = {}): Stage {
  const acts = {
    long: 'until [ -e "$stage/seen" ]; do sleep 0.02; done; commit long.txt x',
    late: 'touch "$stage/seen"; commit late.txt x',
    'Review?quick': `touch "$stage/seen"; ${WRITE_REVIEW}`,
  }
  const stage = aStage(acts, options)
  stage.add('first')
  return stage
}

const WORDS: Record<string, string> = { Running: 'begin', '': 'judge', '✓': 'end' }

/** What was printed of each task's beginning, of what follows its agent, and of its end, in that order. */
function events(stage: Stage, workers = '2', which: readonly string[] = ['--all']): string[] {
  const { code, stdout, stderr } = stage.gza('work', ...which, '--workers', workers)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const titles = new Map(
    [...stdout.matchAll(/^Running task #(\d+): (.*)$/gm)].map(([, number, title]) => [number, title]),
  )
  const lines = [...stdout.matchAll(/^(Running|✓|) .*?#(\d+)(?:[:.]| completed| Verifying)/gm)]
  return lines.map(([, word = '', number]) => `${WORDS[word]} ${titles.get(number) ?? 'review'}`)
}

function expectOrder(all: readonly string[], ...some: string[]): void {
  expect(all.filter((event) => some.includes(event))).toEqual(some)
}

test('the next task begins before the last one is written down', () => {
  const stage = aTeam()
  for (const title of ['quick', 'long', 'late']) stage.add(title)
  expectOrder(events(stage), 'begin quick', 'judge quick', 'begin late', 'end quick')
  expect(stage.worktrees()).toEqual([])
})

test('where the project has checks, it does so when they have passed', () => {
  const stage = aTeam({ config: { verify: { command: 'test -e README.md' } } })
  for (const title of ['quick', 'long', 'late']) stage.add(title)
  expectOrder(events(stage), 'begin quick', 'begin late', 'end quick')
})

test('a task that comes first and waits for just that one finds the slot free', () => {
  const stage = aTeam()
  const quick = stage.add('quick')
  for (const title of ['long', 'filler']) stage.add(title)
  stage.add('late', '--after', quick, '--priority', 'high')
  expectOrder(events(stage), 'end quick', 'begin late', 'begin filler')
})

test('so does one that waits for its files', () => {
  const stage = aTeam()
  stage.add('quick', '--files-to-modify', 'x.txt')
  stage.add('long')
  stage.add('late', '--files-to-modify', 'x.txt')
  stage.add('filler')
  expectOrder(events(stage), 'end quick', 'begin late', 'begin filler')
})

test('so does one that may be taken from others, where they are files of a task of the same call', () => {
  const stage = aTeam()
  const quick = stage.add('quick', '--files-to-modify', 'x.txt')
  const long = stage.add('long')
  const late = stage.add('late', '--files-to-modify', 'x.txt')
  expectOrder(events(stage, '2', ['1', quick, long, late, '--take-over']), 'end quick', 'begin late', 'end late')
})

test('so does the review that comes with it', () => {
  const stage = aTeam()
  stage.add('quick', '--type', 'implement', '--review')
  for (const title of ['long', 'filler']) stage.add(title)
  expectOrder(events(stage), 'end quick', 'begin review', 'begin filler')
})

test('who has nobody to hand over to lets nobody else go first', () => {
  const titles = ['one', 'two', 'three', 'four']
  const meet = titles.map((title) => `until [ -e "$stage/${title}" ]; do sleep 0.01; done`)
  const stage = aStage({ 'one|two|three|four': `touch "$stage/$title"; ${meet.join('; ')}; commit "$title.txt" x` })
  for (const title of ['first', ...titles]) stage.add(title)
  const { stdout } = stage.run(['taskset', '-c', aCore(), bin('gza'), 'work', '--all', '--workers', '4'])
  const steps = [...stdout.matchAll(/^(?: {2}|✓ Task )#(\d) (?:Verifying|completed)/gm)].map(([, number]) => number)
  expect(steps.filter((_, at) => at % 2 === 0)).toEqual(steps.filter((_, at) => at % 2 === 1))
  expect(steps.toSorted().join('')).toBe('1122334455')
})

/** With one core gza does one thing at a time. */
function aCore(): string {
  return readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list:\s*(\d+)/m)?.[1] ?? '0'
}

test('one worker does one thing after the other', () => {
  const stage = aTeam()
  stage.add('late')
  expect(events(stage, '1')).toEqual([
    'begin first',
    'judge first',
    'end first',
    'begin late',
    'judge late',
    'end late',
  ])
})

test('--count is kept', () => {
  const stage = aTeam()
  for (const title of ['late', 'long', 'filler']) stage.add(title)
  expectOk(stage.gza('work', '--count', '3', '--workers', '2'))
  expect(stage.calls().map(({ title }) => title)).not.toContain('filler')
})

for (const step of ['kept', 'verified', 'removed', 'recorded', 'released']) {
  test(`a worker killed at the step ${step} while the next task begins loses neither`, () => {
    const factory = aFactory()
    const titles = ['chore-1', 'chore-2', 'chore-3', 'chore-4', 'chore-5']
    for (const title of titles) factory.add(title)
    expect(factory.work({ GZA_CRASH_AT: `${step}:2` }, '--workers', '2').code).toBe(137)
    expectOk(factory.work({}, '--workers', '2'))
    const tasks = titles.map((_, at) => factory.show(at + 1))
    expect(tasks.map(({ status }) => status)).toEqual(titles.map(() => 'completed'))
    const ends = tasks.flatMap(({ runs }) => runs.map(({ outcome }) => outcome))
    expect(ends.filter((outcome) => outcome === 'completed')).toHaveLength(titles.length)
    const calls = Object.values(factory.calls()).reduce((sum, count) => sum + count, 0)
    expect(calls).toBeLessThanOrEqual(ends.length)
    expect(remains(factory)).toEqual(NOTHING)
  })
}
