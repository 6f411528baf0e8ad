/** Who gets the slot of a run that only gza itself has still something to do for. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { aCrashScenario, expectOk, NOTHING, remains } from '../runs/crash-recovery/crash-repo.ts'
import { bin } from '../support/built-program.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'
import { withoutEnd } from '../support/without-end.ts'

const WRITE_REVIEW = `path=$(grep -o '\\.gza/[a-z]*/[0-9a-z-]*\\.md' <<<"$prompt" | head -1); save "$path" 'Verdict: APPROVED'`

/** `first` shows that the agent works; `long` has the other slot until `late` or the review has begun. */
function aRepoWithTasks(options: AgentRepoOptions = {}): AgentRepo {
  const acts = {
    long: 'until [ -e "$beside/seen" ]; do sleep 0.02; done; commit long.txt x',
    late: 'touch "$beside/seen"; commit late.txt x',
    'Review?quick': `touch "$beside/seen"; ${WRITE_REVIEW}`,
  }
  const repo = anAgentRepo(acts, options)
  repo.add('first')
  return repo
}

const WORDS: Record<string, string> = { Running: 'begin', '': 'judge', '✓': 'end' }

/** What was printed of each task's beginning, of what follows its agent, and of its end, in that order. */
function events(repo: AgentRepo, workers = '2', which: readonly string[] = ['--all']): string[] {
  const { code, stdout, stderr } = repo.gza('work', ...which, '--workers', workers)
  expect({ code, stderr: withoutEnd(stderr) }).toEqual({ code: 0, stderr: '' })
  const titles = new Map(
    [...stdout.matchAll(/^Running task #(\d+): (.*)$/gm)].map(([, number, title]) => [number, title]),
  )
  const lines = [...stdout.matchAll(/^(Running|✓|) .*?#(\d+)(?:[:.]| completed| Verifying)/gm)]
  return lines.map(([, word = '', number]) => `${WORDS[word]} ${titles.get(number) ?? 'review'}`)
}

function expectOrder(all: readonly string[], ...some: string[]): void {
  expect(all.filter((event) => some.includes(event))).toEqual(some)
}

test('the next task begins before the work of the last one is judged and written down', () => {
  const repo = aRepoWithTasks()
  for (const title of ['quick', 'long', 'late']) repo.add(title)
  expectOrder(events(repo), 'begin quick', 'begin late', 'judge quick', 'end quick')
  expect(repo.worktrees()).toEqual([])
})

test('where the project has checks, it does so when they have passed', () => {
  const repo = aRepoWithTasks({ config: { verify: { command: 'test -e README.md' } } })
  for (const title of ['quick', 'long', 'late']) repo.add(title)
  expectOrder(events(repo), 'begin quick', 'begin late', 'end quick')
})

test('a task that comes first and waits for just that one finds the slot free', () => {
  const repo = aRepoWithTasks()
  const quick = repo.add('quick')
  for (const title of ['long', 'filler']) repo.add(title)
  repo.add('late', '--after', quick, '--priority', 'high')
  expectOrder(events(repo), 'end quick', 'begin late', 'begin filler')
})

test('so does one that waits for its files', () => {
  const repo = aRepoWithTasks()
  repo.add('quick', '--files-to-modify', 'x.txt')
  repo.add('long')
  repo.add('late', '--files-to-modify', 'x.txt')
  repo.add('filler')
  expectOrder(events(repo), 'end quick', 'begin late', 'begin filler')
})

test('so does one that may be taken from others, where they are files of a task of the same call', () => {
  const repo = aRepoWithTasks()
  const quick = repo.add('quick', '--files-to-modify', 'x.txt')
  const long = repo.add('long')
  const late = repo.add('late', '--files-to-modify', 'x.txt')
  expectOrder(events(repo, '2', ['1', quick, long, late, '--take-over']), 'end quick', 'begin late', 'end late')
})

test('so does the review that comes with it', () => {
  const repo = aRepoWithTasks()
  repo.add('quick', '--type', 'implement', '--review')
  for (const title of ['long', 'filler']) repo.add(title)
  expectOrder(events(repo), 'end quick', 'begin review', 'begin filler')
})

test('a run without a successor lets no other run go first', () => {
  const titles = ['one', 'two', 'three', 'four']
  const meet = titles.map((title) => `until [ -e "$beside/${title}" ]; do sleep 0.01; done`)
  const repo = anAgentRepo({
    'one|two|three|four': `touch "$beside/$title"; ${meet.join('; ')}; commit "$title.txt" x`,
  })
  for (const title of ['first', ...titles]) repo.add(title)
  const { stdout } = repo.run(['taskset', '-c', aCore(), bin('gza'), 'work', '--all', '--workers', '4'])
  const steps = [...stdout.matchAll(/^(?: {2}|✓ Task )#(\d) (?:Verifying|completed)/gm)].map(([, number]) => number)
  expect(steps.filter((_, at) => at % 2 === 0)).toEqual(steps.filter((_, at) => at % 2 === 1))
  expect(steps.toSorted().join('')).toBe('1122334455')
})

/** With one core gza does one thing at a time. */
function aCore(): string {
  return readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list:\s*(\d+)/m)?.[1] ?? '0'
}

test('one worker does one thing after the other', () => {
  const repo = aRepoWithTasks()
  repo.add('late')
  expect(events(repo, '1')).toEqual(['begin first', 'judge first', 'end first', 'begin late', 'judge late', 'end late'])
})

test('--count is kept', () => {
  const repo = aRepoWithTasks()
  for (const title of ['late', 'long', 'filler']) repo.add(title)
  expectOk(repo.gza('work', '--count', '3', '--workers', '2'))
  expect(repo.calls().map(({ title }) => title)).not.toContain('filler')
})

for (const step of ['working', 'heard', 'kept', 'verified', 'removed', 'recorded', 'released']) {
  test(`a worker killed at the step ${step} while the next task begins loses neither`, () => {
    const scenario = aCrashScenario()
    const titles = ['chore-1', 'chore-2', 'chore-3', 'chore-4', 'chore-5']
    for (const title of titles) scenario.add(title)
    expect(scenario.work({ GZA_CRASH_AT: `${step}:2` }, '--workers', '2').code).toBe(137)
    expectOk(scenario.work({}, '--workers', '2'))
    const tasks = titles.map((_, at) => scenario.show(at + 1))
    expect(tasks.map(({ status }) => status)).toEqual(titles.map(() => 'completed'))
    const ends = tasks.flatMap(({ runs }) => runs.map(({ outcome }) => outcome))
    expect(ends.filter((outcome) => outcome === 'completed')).toHaveLength(titles.length)
    const calls = Object.values(scenario.calls()).reduce((sum, count) => sum + count, 0)
    expect(calls).toBeLessThanOrEqual(ends.length)
    expect(remains(scenario)).toEqual(NOTHING)
  })
}
