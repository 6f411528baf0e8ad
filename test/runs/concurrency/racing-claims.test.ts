import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../../support/repo.ts'

const TASKS = 100
const CLAIMERS = 8

test('eight racing claimers share a hundred tasks, each with exactly one winner', async () => {
  const repo = aRepo()
  repo.commit('start')
  const lines = Array.from({ length: TASKS }, (_, index) => `- [ ] chore ${index + 1}`)
  const file = repo.write('../TODO.md', `${lines.join('\n')}\n`)
  expect(repo.gza('import', file).code).toBe(0)

  const claimed = (await Promise.all(Array.from({ length: CLAIMERS }, () => claimAll(repo)))).flat()
  expect(claimed.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(lines.map((_, index) => index + 1))
  expect(new Set(claimed.map(({ run }) => run)).size).toBe(TASKS)

  const tasks: { number: number; status: string; runs: { run: string }[] }[] = exported(repo)
  const winners = new Map(claimed.map(({ number, run }) => [number, run]))
  expect(tasks.map(({ number, runs }) => [number, runs.map(({ run }) => run)])).toEqual(
    tasks.map(({ number }) => [number, [winners.get(number) as string]]),
  )
  expect(repo.gza('verify').code).toBe(0)
})

/** Claims until nothing is left. */
async function claimAll(repo: Repo): Promise<{ number: number; run: string }[]> {
  const won: { number: number; run: string }[] = []
  for (;;) {
    const { code, stdout } = await repo.start(['gza', 'claim', '--next', '--json'])
    const claimed = JSON.parse(stdout)
    if (code === 1 && claimed === null) return won
    if (code !== 0) throw new Error(stdout)
    won.push({ number: claimed.task.number, run: claimed.run })
  }
}

function exported(repo: Repo) {
  return repo
    .gza('export')
    .stdout.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
