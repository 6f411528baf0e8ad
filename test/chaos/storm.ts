import { outputOf } from '../support/ledger-answers.ts'
import { keepRepo, type Repo, type RepoOptions } from '../support/repo.ts'
import { findDamage } from './find-damage.ts'
import { type Kills, killWorkers, WORK } from './kill-workers.ts'
import { moveAllLeftLocks, movedLocks } from './left-locks.ts'
import { type PersonsWork, workAsPerson } from './person.ts'
import { workInSecondClone } from './second-clone.ts'
import { type Choice, seededChoice } from './seeded-choice.ts'
import { aStormRepo, type StormRepo } from './storm-repo.ts'

export interface StormSize extends Pick<RepoOptions, 'isolation'> {
  /** At the start. More are added in the second clone, and whenever they run out. */
  tasks: number
  kills: Kills
}

export interface StormReport {
  tasks: number
  calls: number
  seconds: number
  commitsOfMain: number
  /** Locks that a killed git had left, and that the person moved elsewhere, as gza says. */
  movedLocks: number
  /** What is not as promised, by promise. None is listed if all are kept. */
  damage: Record<string, string[]>
  /** The folder with the repositories and logs. It stays if there is damage: no run can be repeated exactly. */
  place: string
}

/** Six workers, a second clone and a person at once, under kill -9; then a quiet end, and what is left. */
export async function runStorm(size: StormSize, seed: number): Promise<StormReport> {
  const storm = aStormRepo(size)
  const place = storm.main.beside('')
  try {
    const report = { ...(await survive(storm, size, seed)), place }
    if (Object.keys(report.damage).length > 0) keepRepo(storm.main)
    return report
  } catch (error) {
    keepRepo(storm.main)
    throw new Error(`${(error as Error).message}\nThe repositories and logs are in ${place}`, { cause: error })
  }
}

async function survive(storm: StormRepo, size: StormSize, seed: number): Promise<Omit<StormReport, 'place'>> {
  const start = performance.now()
  const choice = seededChoice(seed)
  for (let n = 0; n < size.tasks; n++) await storm.add(storm.main, choice)
  const work = await rage(storm, size, choice)
  await moveAllLeftLocks(storm)
  storm.note(await finishQuietly(storm))
  return {
    tasks: storm.added.size,
    calls: storm.calls(),
    commitsOfMain: Number(storm.main.git('rev-list', '--count', '--first-parent', 'main')),
    movedLocks: movedLocks(storm),
    damage: findDamage(storm, work),
    seconds: Math.round((performance.now() - start) / 1000),
  }
}

/** All three stop when the kills are done, or when one of them fails. */
async function rage(storm: StormRepo, { kills }: StormSize, choice: Choice): Promise<PersonsWork> {
  let isOver = false
  const stop = (): boolean => isOver
  const end = (): void => {
    isOver = true
  }
  const person = workAsPerson(storm, choice.branch(), stop)
  const second = workInSecondClone(storm, choice.branch(), stop)
  const killing = killWorkers(storm, { kills, choice: choice.branch(), isOver: stop }).finally(end)
  for (const each of [person, second]) each.catch(end)
  await Promise.allSettled([person, second, killing])
  await Promise.all([second, killing])
  return person
}

const QUIET_MS = 900_000

/** The first work also removes the worktree that a killed git had only begun to add, and that no fetch can read. */
async function finishQuietly(storm: StormRepo): Promise<string> {
  const { main, second } = storm
  const work = async (): Promise<string> => outputOf(await main.start(['gza', ...WORK], { timeout: QUIET_MS }))
  const sync = async (clones: Repo[]): Promise<void> => {
    for (const clone of clones) outputOf(await clone.start(['gza', 'sync']))
  }
  const first = await work()
  await sync([second, main])
  const last = await work()
  await sync([main, second, main])
  return first + last
}
