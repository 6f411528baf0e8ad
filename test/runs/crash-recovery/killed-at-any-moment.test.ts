import { expect, test } from 'bun:test'
import { spawnGza } from '../../support/spawn-gza.ts'
import { aCrashScenario, type CrashScenario, expectOk, NOTHING, remains } from './crash-repo.ts'

const TITLES = Array.from({ length: 6 }, (_, index) => `chore-${index + 1}`)

/** Each call adds a line of its own, in a commit of its own. */
const WORK = 'echo "call $$" >> "$TITLE.txt"; git add .; git commit --quiet -m "call of $TITLE"; echo said; sleep 0.05'

test('workers killed at any moment, several times, lose no task, no commit and leave nothing', async () => {
  const scenario = aCrashScenario(WORK)
  for (const title of TITLES) scenario.add(title)
  for (const ms of [150, 260, 370, 480, 590]) await killAfter(scenario, ms)
  expectOk(scenario.work({}, '--workers', '3'))

  const tasks = TITLES.map((_, index) => scenario.show(index + 1))
  expect(tasks.map(({ status }) => status)).toEqual(TITLES.map(() => 'completed'))
  expect(tasks.map(({ runs }) => runs.filter(({ outcome }) => outcome === 'completed').length)).toEqual(
    TITLES.map(() => 1),
  )
  expect(tasks.flatMap(({ runs }) => runs.filter(({ ended_at }) => ended_at === null))).toEqual([])
  expect(remains(scenario)).toEqual(NOTHING)
  const interrupted = tasks.flatMap(({ runs }) => runs.filter(({ outcome }) => outcome === 'interrupted')).length
  const calls = Object.values(scenario.calls()).reduce((sum, count) => sum + count, 0)
  expect(calls).toBeLessThanOrEqual(TITLES.length + interrupted)
  for (const { branch, runs } of tasks)
    for (const { head } of runs)
      if (head !== null) scenario.repo.git('merge-base', '--is-ancestor', head, branch as string)
})

async function killAfter({ repo }: CrashScenario, ms: number): Promise<void> {
  const worker = spawnGza(repo, 'work', '--all', '--workers', '3')
  await Bun.sleep(ms)
  worker.process.kill('SIGKILL')
  await worker.ended
}
