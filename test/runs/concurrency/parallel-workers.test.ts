import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import {
  aCrashScenario,
  type CrashScenario,
  expectOk,
  NOTHING,
  remains,
  subjects,
} from '../crash-recovery/crash-repo.ts'

const QUICK = 'sleep 0.05; echo "work of $TITLE" > "$TITLE.txt"; echo done'
/** Two for each worker: each takes its second one while others work. */
const TASKS = 16

/** Shows that it works, and continues when the test lets it. */
const WAITING = [
  'echo working; touch "$CALLS/../working"',
  'while ! test -e "$CALLS/../go"; do sleep 0.02; done',
  'echo "work of $TITLE" > "$TITLE.txt"; echo done',
].join('\n')

test('two orchestrators with four workers each run every task exactly once', async () => {
  const scenario = aCrashScenario(QUICK)
  const titles = Array.from({ length: TASKS }, (_, index) => `chore-${index + 1}`)
  const list = scenario.repo.write('../TODO.md', `${titles.map((title) => `- [ ] ${title}`).join('\n')}\n`)
  expectOk(scenario.repo.gza('import', list))
  const workers = [0, 1].map(() => scenario.repo.start(['gza', 'work', '--all', '--workers', '4', '--json']))
  const reports = (await Promise.all(workers)).map((result) => JSON.parse(expectOk(result).stdout))

  expect(scenario.calls()).toEqual(Object.fromEntries(titles.map((title) => [title, 1])))
  const done: number[] = reports.flatMap(({ completed }) => completed.map(({ number }: { number: number }) => number))
  expect(done.toSorted((a, b) => a - b)).toEqual(titles.map((_, index) => index + 1))
  expect(reports.every(({ completed }) => completed.length > 0)).toBe(true)
  const tasks = scenario.repo
    .gza('export')
    .stdout.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(tasks.map(({ status, runs }) => [status, runs.length])).toEqual(tasks.map(() => ['completed', 1]))
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a task that two ask for at the same time is run once, and the other is told its holder', async () => {
  const scenario = aCrashScenario(QUICK)
  scenario.add('chore-1')
  const both = await Promise.all([0, 1].map(() => scenario.repo.start(['gza', 'work', '1'])))
  expect(scenario.calls()).toEqual({ 'chore-1': 1 })
  const [loser, ...rest] = both.filter(({ stdout }) => !stdout.includes('✓ Task #1 completed'))
  expect(rest).toEqual([])
  expect(`${loser?.stdout}${loser?.stderr}`).toMatch(/Task #1 is (in progress|completed)/)
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a task that a person deletes while it runs stays deleted, its work is kept, and others continue', async () => {
  const { scenario, code, others } = await whileItRuns(({ repo }) => {
    const { code, stderr } = repo.gza('delete', '1')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/#1 \(task-\w+\) is in progress\n.* --yes/)])
    expect(repo.gza('list').stdout).toContain('chore-1')
    expectOk(repo.gza('delete', '1', '--yes'))
  })
  expect([code, others]).toEqual([0, 'completed'])
  expect(scenario.repo.gza('list').stdout).not.toContain('chore-1')
  const [branch] = scenario.repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/*chore-1').split('\n')
  expect(scenario.repo.git('show', `${branch}:chore-1.txt`)).toBe('work of chore-1')
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a task that a person closes while it runs stays as the person left it', async () => {
  const { scenario, code, others } = await whileItRuns(({ repo }) => {
    const done = expectOk(repo.gza('done', '1'))
    expect(done.stderr).toMatch(
      /^Warning: #1 task-\w+ was closed although \w+ is still working on it\. gza kill 1 ends/,
    )
  })
  expect([code, scenario.show(1).status, others]).toEqual([0, 'completed', 'completed'])
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['completed'])
  expect(subjects(scenario, 1)).toEqual(['chore-1'])
  expect(scenario.calls()).toEqual({ 'chore-1': 1, 'chore-2': 1 })
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a task whose text a person edits while it runs is not completed by work on the old text', async () => {
  const edit = ['edit', '1', '--content', 'chore-1, but otherwise']
  const { scenario, code, others } = await whileItRuns(({ repo }) => expectOk(repo.gza(...edit)))
  expect([code, scenario.show(1).status, others]).toEqual([1, 'pending', 'completed'])
  expectOk(scenario.work())
  expect(scenario.show(1).status).toBe('completed')
  expect(scenario.show(1).runs.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['interrupted', 'the task was edited while it ran'],
    ['completed', null],
  ])
  expect(scenario.calls()).toEqual({ 'chore-1': 2, 'chore-2': 1 })
  expect(remains(scenario)).toEqual(NOTHING)
})

test('a change that does not concern the work leaves a running task alone', async () => {
  const { scenario, code } = await whileItRuns(({ repo }) => expectOk(repo.gza('edit', '1', '--priority', 'high')))
  expect(code).toBe(0)
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['completed'])
  expect(scenario.calls()).toEqual({ 'chore-1': 1, 'chore-2': 1 })
})

/** Lets a person do something to the first of two tasks while its agent works. */
async function whileItRuns(
  act: (scenario: CrashScenario) => void,
): Promise<{ scenario: CrashScenario; code: number; others: string }> {
  const scenario = aCrashScenario(WAITING)
  scenario.add('chore-1')
  scenario.add('chore-2')
  const working = scenario.repo.start(['gza', 'work', '--all'])
  await until(
    () => scenario.repo.run(['test', '-e', join(scenario.repo.dir, '../working')]).code === 0,
    'an agent works',
  )
  act(scenario)
  scenario.repo.write('../go', '')
  const { code } = await working
  return { scenario, code, others: scenario.show(2).status }
}
