import { outputOf } from '../support/ledger-answers.ts'
import { until } from '../support/until.ts'
import type { Choice } from './seeded-choice.ts'
import type { StormRepo } from './storm-repo.ts'

/** Adds tasks in the second clone, closes some, pushes branches and syncs, until the storm is over. */
export async function workInSecondClone(storm: StormRepo, choice: Choice, isOver: () => boolean): Promise<void> {
  const { second } = storm
  for (let n = 1; !isOver(); n++) {
    const act = choice.oneOf([addTask, closeTask, pushBranch])
    storm.note(`second clone: ${act.name} ${n}`)
    await act(storm, choice, n)
    outputOf(await second.start(['gza', 'sync']))
    const seen = storm.calls()
    await until(() => isOver() || storm.calls() > seen + 1, 'the next calls of agents')
  }
}

async function addTask(storm: StormRepo, choice: Choice): Promise<void> {
  await storm.add(storm.second, choice)
}

/** Half of them after a sync: the first clone may work on them by then. */
async function closeTask(storm: StormRepo, choice: Choice): Promise<void> {
  const id = await storm.addForPerson(storm.second)
  if (choice.below(2) === 0) outputOf(await storm.second.start(['gza', 'sync']))
  outputOf(await storm.second.start(['gza', 'done', id]))
}

async function pushBranch(storm: StormRepo, _choice: Choice, n: number): Promise<void> {
  const { second } = storm
  second.git('commit', '--quiet', '--allow-empty', '--message', `In the second clone ${n}`)
  second.git('push', '--quiet', 'origin', `HEAD:refs/heads/second/${n}`)
}
