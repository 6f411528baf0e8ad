import { runStorm } from '../test/chaos/storm.ts'
import { removeRepos } from '../test/support/repo.ts'

/**
 * The chaos run of the tests with more tasks and kills: `npm run chaos -- TASKS KILLS [off]` (120 100). A third of the
 * kills each ends gza, gza with all descendants, and agents alone. Agents run in boxes, unless isolation is `off`.
 * GZA_CHAOS_SEED repeats the choices of a run.
 */
const words = process.argv.slice(2)
const [tasks = 120, kills = 100] = words.filter((word) => word !== 'off').map(Number)
const seed = Number(process.env.GZA_CHAOS_SEED ?? Date.now() % 2 ** 31)
const third = Math.floor(kills / 3)
const size = {
  ...{ tasks, kills: { gza: kills - 2 * third, all: third, agents: third } },
  ...(words.includes('off') && { isolation: 'off' as const }),
}

console.log(`seed ${seed}, ${JSON.stringify(size)}`)
const { damage, place, ...figures } = await runStorm(size, seed)
console.log(JSON.stringify(figures))
for (const [promise, found] of Object.entries(damage)) console.log(`${promise}: ${found.length}`, ...found)

const isWhole = Object.keys(damage).length === 0
console.log(isWhole ? 'Every promise was kept' : `The repositories and logs are in ${place}`)
removeRepos()
process.exitCode = isWhole ? 0 : 1
