import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { numberOwners } from '../../src/core/task/task-ids.ts'
import { gza, listAll, treeOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import {
  act,
  anyCloneAction,
  type CloneAction,
  type Clones,
  ledgersOf,
  threeClones,
  UNSHRUNK,
} from './arbitrary-clone-work.ts'
import { collectFacts, type Facts, readLines } from './collected-facts.ts'

/** For one that hangs. Nine hundred operations take longer than a test usually may, on a busy machine. */
const LONG_MS = 400_000

test('three clones that work and exchange in any order end with the same bytes and every fact', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      const team = threeClones()
      await carryOut(team, plan)
      team.remote.remove()
    }),
    { numRuns: 5, ...UNSHRUNK },
  )
})

test(
  'so they do after 300 operations each',
  async () => {
    const seed = Date.now() % 2 ** 31
    const [plan] = fc.sample(anyFullPlan, { numRuns: 1, seed })
    try {
      await carryOut(threeClones(), plan ?? [])
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  },
  LONG_MS,
)

interface Step {
  clone: number
  deed: CloneAction
}

const anyPlan: fc.Arbitrary<Step[]> = fc.array(fc.record({ clone: fc.nat(2), deed: anyCloneAction }), { maxLength: 30 })

const TURNS = Array.from({ length: 900 }, (_, i) => i % 3)

const anyFullPlan: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.shuffledSubarray(TURNS, { minLength: TURNS.length }),
    fc.array(anyCloneAction, { minLength: TURNS.length, maxLength: TURNS.length }),
  )
  .map(([turns, deeds]) => turns.map((clone, i) => ({ clone, deed: deeds[i] as CloneAction })))

async function carryOut(team: Clones, plan: readonly Step[]): Promise<void> {
  const facts = collectFacts()
  for (const { clone, deed } of plan) await act(team, clone, deed, facts)
  for (const clone of [0, 1, 2, 0, 1]) gza(team.clones[clone] as Repo, 'sync')
  for (const ledger of ledgersOf(team.remote)) {
    const trees = [...team.clones, team.remote].map((repo) => treeOf(repo, ledger))
    expect(new Set(trees).size).toBe(1)
  }
  for (const clone of team.clones) expectWhole(clone, facts, team.parent)
}

function expectWhole(clone: Repo, facts: Facts, parent: string): void {
  const exported = gza(clone, 'export')
  expect(facts.missingFrom(exported, parent)).toEqual([])
  const tasks = readLines(exported)
  expect(new Set(numberOwners(tasks).values()).size).toBe(tasks.length)
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
  const numbers = listAll(clone).map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(clone.gza('verify')).toMatchObject({ code: 0, stderr: '' })
}
