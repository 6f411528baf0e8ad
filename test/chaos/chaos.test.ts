import { expect, test } from 'bun:test'
import { runStorm } from './storm.ts'

/** GZA_CHAOS_SEED repeats the choices of a run. `npm run chaos` is the same with more of everything. */
const SEED = Number(process.env.GZA_CHAOS_SEED ?? Date.now() % 2 ** 31)

const WAYS = [
  { name: 'in boxes', size: { tasks: 6, kills: { gza: 3, all: 3, agents: 3 } } },
  { name: 'without boxes', size: { tasks: 4, kills: { gza: 2, all: 2, agents: 2 }, isolation: 'off' } },
] as const

for (const { name, size } of WAYS) {
  test(`no kill -9 loses, repeats or breaks anything, ${name} (seed ${SEED})`, async () => {
    const { damage, place } = await runStorm(size, SEED)
    const isWhole = Object.keys(damage).length === 0
    expect({ damage, place: isWhole ? null : place }).toEqual({ damage: {}, place: null })
  }, 600_000)
}
