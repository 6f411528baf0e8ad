import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { aRepo } from '../../../test/support/repo.ts'
import { useWorkspace } from '../../workspace/workspace.ts'
import { importPlan, type PlanInput } from './import-plan.ts'
import type { PlanImport } from './view-import.ts'

interface Planned {
  named: 'key' | 'number'
  title: string
  distance: number
  file: number
  done: boolean
}

const planned = fc.record<Planned>({
  named: fc.constantFrom('key', 'number'),
  title: fc.constantFrom('Model', 'View', 'Login form', 'Async queue with retries', 'T9 is a title'),
  distance: fc.nat(5),
  file: fc.nat(8),
  done: fc.boolean(),
})

/** Dependencies only point back, so that there is no cycle; titles may repeat. */
function markdown(tasks: readonly Planned[]): string {
  const text = tasks.map(({ named, title, distance, file, done }, at) => {
    const box = done ? '[x] ' : ''
    const head = named === 'key' ? `### ${box}T${at}: ${title}` : `### ${box}Task ${at}: ${title}`
    const wait = distance > 0 && at >= distance && named === 'key' ? `Depends on: ${at - distance}\n` : ''
    return `${head}\n${wait}Files to create: \`src/${at}.ts\`\nFiles to modify: ${at > file ? `\`src/${at - file}.ts\`` : 'none'}\n`
  })
  return `# Plan\n## Phase 1: All\n${text.join('\n')}`
}

test('importing a plan twice is the same as importing it once', async () => {
  const repo = aRepo()
  repo.commit('first')
  const load = (input: Omit<PlanInput, 'name'>): Promise<PlanImport> =>
    useWorkspace({ cwd: repo.dir, env: repo.env }, (ws) => importPlan(ws, { name: 'plan.md', ...input }))
  let plans = 0
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { minLength: 1, maxLength: 12 }), fc.nat(), async (tasks, cut) => {
      const path = join(repo.dir, `plan-${plans++}.md`)
      const part = { path, text: markdown(tasks.slice(0, 1 + (cut % tasks.length))) }
      const whole = { path, text: markdown(tasks) }
      const first = await load({ file: part })
      const dry = await load({ file: whole, dryRun: true })
      const second = await load({ file: whole })
      expect(dry.created_count).toBe(second.created_count)
      const again = await load({ file: whole })
      expect([again.created_count, again.updated_count, again.gone]).toEqual([0, 0, []])
      expect(again.tasks.map(({ state }) => state)).toEqual(tasks.map(() => 'known'))
      const filed = repo.gza(
        'query',
        '--json',
        `SELECT count(*) AS n FROM tasks WHERE plan_file = 'plan-${plans - 1}.md'`,
      )
      expect(JSON.parse(filed.stdout)).toEqual([{ n: first.created_count + second.created_count }])
    }),
    { numRuns: 10 },
  )
})

test('an inserted step moves the numbers after it, and no step is taken for another', async () => {
  const repo = aRepo()
  repo.commit('first')
  const path = join(repo.dir, 'plan.md')
  const load = (...steps: string[]): Promise<PlanImport> => {
    const text = `## Steps\n${steps.map((step, at) => `${at + 1}. **${step}**`).join('\n')}\n`
    return useWorkspace({ cwd: repo.dir, env: repo.env }, (ws) =>
      importPlan(ws, { name: 'plan.md', file: { path, text } }),
    )
  }
  await load('Model', 'View', 'Test')
  const more = await load('Model', 'Route', 'View', 'Test')
  expect(more.tasks.map(({ key, title, state }) => [key, title, state])).toEqual([
    ['T1', 'Model', 'known'],
    ['T4', 'Route', 'new'],
    ['T2', 'View', 'known'],
    ['T3', 'Test', 'known'],
  ])
  const renamed = await load('Model', 'Route', 'Show it', 'Test')
  expect(renamed.created_count).toBe(1)
  expect(renamed.gone.map(({ key }) => key)).toEqual(['T2'])
})
