import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('milestones come with their names, their derived status and how far they are', () => {
  const repo = aRepo()
  repo.write(
    'plan.md',
    '# Shop\n\n## Phase 1: Core\n\n### T1: Model\n\n### T2: Store\n\n## Phase 2: Pages\n\n### T3: Cart\n',
  )
  repo.gza('plan', 'import', 'plan.md')
  const added = repo.gza('add', 'Later', '--milestone', 'M10', '--key', 'L')
  expect(added.code).toBe(0)
  expect(repo.gza('done', 'T1').code).toBe(0)
  expect(repo.gza('milestones')).toEqual({
    code: 0,
    stderr: '',
    stdout: `M1 Core   in_progress  ██████████░░░░░░░░░░   50%  1/2
M2 Pages  pending      ░░░░░░░░░░░░░░░░░░░░    0%  0/1
M10       pending      ░░░░░░░░░░░░░░░░░░░░    0%  0/1
`,
  })
  expect(JSON.parse(repo.gza('milestones', '--json').stdout)[0]).toEqual({
    id: 'M1',
    name: 'Core',
    description: '',
    task_ids: ['T1', 'T2'],
    status: 'in_progress',
    total: 2,
    completed: 1,
    skipped: 0,
    failed: 0,
    in_progress: 0,
    pending: 1,
    on_hold_count: 0,
    progress: '50%',
  })
  const { milestones } = JSON.parse(repo.gza('summary', '--json').stdout)
  expect(milestones.map(({ name }: { name: string }) => name)).toEqual(['Core', 'Pages', 'M10'])
})
