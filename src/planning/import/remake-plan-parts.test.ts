import { expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { aRepo } from '../../../test/support/repo.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import { useWorkspace } from '../../workspace/workspace.ts'
import { importPlan } from './import-plan.ts'

const anyFile = fc
  .tuple(fc.constantFrom('src/db', 'src/services', 'src/api', 'web/ui', 'docs'), fc.constantFrom('a', 'b', 'c', 'd'))
  .map(([folder, name]) => `${folder}/${name}.ts`)
const anyScope = fc.record({
  files: fc.uniqueArray(anyFile, { minLength: 1, maxLength: 14 }),
  criteria: fc.uniqueArray(fc.constantFrom('Rows are kept', 'The page shows it', 'All is well', 'Jobs are retried'), {
    minLength: 1,
  }),
})
type Scope = typeof anyScope extends fc.Arbitrary<infer T> ? T : never

const markdown = ({ files, criteria }: Scope) =>
  `# Plan\n## Phase 1: All\n### T1: Async caching with transactions\nFiles to modify: ${files.join(', ')}\n` +
  `Acceptance criteria:\n- ${criteria.join('\n- ')}\n### T2: Other\nAcceptance criteria:\n- Done\n`

test('after --update the union of the parts is the whole, for any change and any finished parts', async () => {
  const repo = aRepo()
  repo.commit('first')
  let plans = 0
  const plan = () => `plan-${plans}.md`
  const tasks = () => {
    const all = JSON.parse(repo.gza('list', '--all', '--json').stdout) as TaskView[]
    return all.filter(({ plan_file }) => plan_file === plan())
  }
  const load = (scope: Scope) =>
    useWorkspace({ cwd: repo.dir, env: repo.env }, (ws) =>
      importPlan(ws, { name: plan(), file: { path: join(repo.dir, plan()), text: markdown(scope) }, update: true }),
    )
  let remade = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyScope, fc.boolean()), { minLength: 2, maxLength: 4 }), async (steps) => {
      plans++
      for (const [scope, isWorkedOn] of steps) {
        await load(scope)
        expect(await load(scope)).toMatchObject({ created_count: 0, updated_count: 0, replaced_count: 0 })
        const all = tasks()
        const whole = all.find(({ key }) => key === 'T1')
        const parts = all.filter(({ parent }) => parent === whole?.id)
        if (whole === undefined || whole.status === 'completed' || parts.length === 0) continue
        remade++
        const scopeOf = (task: TaskView) => [...task.files_to_modify, ...task.acceptance_criteria]
        const held = new Set(parts.flatMap(scopeOf))
        expect(scopeOf(whole).filter((each) => !held.has(each))).toEqual([])
        const open = parts.filter(({ status }) => status !== 'completed')
        expect(open.flatMap(scopeOf).filter((each) => !scopeOf(whole).includes(each))).toEqual([])
        const first = open.find(({ blocked_by }) => blocked_by.length === 0)
        expect(first === undefined).toBe(open.length === 0)
        if (isWorkedOn && open.length > 1) repo.gza('done', String(first?.number))
      }
    }),
    { numRuns: 6 },
  )
  expect(remade).toBeGreaterThan(0)
})
