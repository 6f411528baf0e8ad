import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

/** A plan with two levels of parts, some of them done or in progress. */
function authTree(): Repo {
  const repo = aRepo()
  const plan = 'docs/plans/2025-12-24-auth.md'
  repo.commit('first')
  repo.gza('add', 'Implement authentication', '--plan-file', plan, '--project', 'shop')
  for (const step of [
    'Brainstorm design',
    'Set up worktree',
    'Write implementation plan',
    'Execute plan',
    'Finish branch',
  ])
    repo.gza('add', step, '--parent', '1')
  repo.gza('add', 'Task 1: Add user model', '--parent', '5', '--assigned-agent', 'backend')
  repo.gza('add', 'Task 2: Add login endpoint', '--parent', '5', '--assigned-agent', 'backend')
  repo.gza('add', 'Task 3: Add JWT middleware', '--parent', '5')
  for (const step of ['Implementation', 'Spec review', 'Code quality review']) repo.gza('add', step, '--parent', '8')
  repo.gza('done', '2', '3', '4', '7', '10')
  return repo
}

test('gza tree draws the tree, gza where names its position, and a subtask inherits plan and project', () => {
  const repo = authTree()
  const drawn = `[ ] Implement authentication (plan: docs/plans/2025-12-24-auth.md)
    [x] Brainstorm design
    [x] Set up worktree
    [x] Write implementation plan
    [ ] Execute plan
        [x] Task 1: Add user model (@backend, completed)
        [ ] Task 2: Add login endpoint (@backend, active)
            [x] Implementation
            [ ] Spec review          <-- current position
            [ ] Code quality review
        [ ] Task 3: Add JWT middleware (pending)
    [ ] Finish branch
`
  expect(repo.gza('tree').stdout).toBe(drawn)
  expect(repo.gza('tree', '--plan', './docs/plans/2025-12-24-auth.md').stdout).toBe(drawn)
  expect(
    repo.gza('tree', '8', '--numbers').stdout,
  ).toBe(`#8  [ ] Task 2: Add login endpoint (plan: docs/plans/2025-12-24-auth.md, @backend, active)
#10     [x] Implementation
#11     [ ] Spec review          <-- current position
#12     [ ] Code quality review
`)
  expect(repo.gza('where').stdout).toMatch(
    /^#11 task-\w+: Spec review \(pending\)\nin: Implement authentication > Execute plan > Task 2: Add login endpoint\n$/,
  )
  const { position, path } = JSON.parse(repo.gza('where', '--json').stdout)
  expect(position).toEqual({
    ...{ id: expect.stringMatching(/^task-/), number: 11, title: 'Spec review', status: 'pending', depth: 3 },
    ...{
      parent: path[2].id,
      assigned_agent: null,
      agent_status: null,
      plan_file: 'docs/plans/2025-12-24-auth.md',
      on_hold: false,
      current: true,
    },
  })
  const [sub] = JSON.parse(repo.gza('query', 'SELECT * FROM tasks WHERE id = 11', '--json').stdout)
  expect(sub).toMatchObject({
    parent_id: 8,
    project: 'shop',
    branch: 'main',
    plan_file: 'docs/plans/2025-12-24-auth.md',
  })
  expect(repo.gza('tree', '--plan', 'no.md').stderr).toContain('No task comes from the plan no.md')
})

test('a part is on the branch of its whole, however deep it is', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.run(['gza', 'import', '-'], { stdin: '{"content":"Whole","branch":"feature/x"}' })
  for (const parent of ['1', '2', '3']) repo.gza('add', 'Part', '--parent', parent)
  repo.gza('add', 'Other')
  const rows: { branch: string }[] = JSON.parse(repo.gza('query', 'SELECT branch FROM tasks', '--json').stdout)
  expect(rows.map(({ branch }) => branch)).toEqual([...Array(4).fill('feature/x'), 'main'])
})

test('a parent is not done while a child is open; what is closed together may be', () => {
  const repo = aRepo()
  repo.commit('first')
  for (const args of [['Whole'], ['Part', '--parent', '1'], ['Second', '--parent', '1'], ['Piece', '--parent', '3']])
    repo.gza('add', ...args)
  const refused = repo.gza('done', '1')
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: Task #1 has 2 children that are open: #2 Part (pending), #3 Second (pending)\n' +
      '  Nothing was changed. gza done 2 4 closes them, and #1 with the last.\n',
  })
  expect(repo.gza('resolve', '1', '--fixed').stderr).toBe(refused.stderr)
  expect(repo.gza('done', '1', '2', '3').code).toBe(1)
  expect(repo.withEnv({ GZA_AGENT: 'x' }).tasks('done', '3').stderr).toBe(
    'Error: Task #3 has a child that is open: #4 Piece (pending)\n' +
      '  Nothing was changed. git tasks done 4 closes it, and #3 with it.\n',
  )
  expect(repo.gza('done', '1', '2', '3', '4').code).toBe(0)
  expect(JSON.parse(repo.gza('list', '--status', 'done', '--json').stdout)).toHaveLength(4)
  const stays = 'Warning: Task #1, the parent of this task, stays completed; gza edit 1 --reopen opens it again\n'
  expect(repo.gza('add', 'Late', '--parent', '1').stderr).toBe(stays)
  expect(repo.gza('edit', '2', '--reopen').stderr).toBe(stays)
  expect(repo.gza('edit', '2', '--priority', 'high').stderr).toBe('')
  repo.gza('add', 'long '.repeat(100), '--parent', '1')
  expect(repo.gza('tree').stdout).toMatch(/^ {4}\[ \] Part {2,100}<-- current position$/m)
})

test('archived tasks leave the lists, still free what depends on them, and come back', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Whole')
  repo.gza('add', 'Part', '--parent', '1')
  repo.gza('add', 'Later', '--after', '2')
  repo.gza('add', 'Other')
  repo.gza('add', 'Last part', '--parent', '1')
  repo.gza('done', '2')
  const numbers = (...args: string[]) =>
    JSON.parse(repo.gza('list', '--json', ...args).stdout).map(({ number }: { number: number }) => number)
  expect(repo.gza('archive', '1').stderr).toContain('Task #1 is pending, not finished')
  expect(repo.gza('archive', '--older-than', '0', '--json').stdout).toBe('[]\n')
  repo.gza('done', '5', '4')
  expect(repo.gza('archive', '--older-than', '30', '--json').stdout).toBe('[]\n')
  expect(repo.gza('archive', '1').stdout).toBe('✓ Task #1 archived\n✓ Task #2 archived\n✓ Task #5 archived\n')
  expect(numbers('--status', 'done')).toEqual([4])
  expect(numbers('--all')).toEqual([1, 2, 3, 4, 5])
  expect(repo.gza('ready').stdout).toContain('#3')
  expect(repo.gza('show', '1').stdout).toContain('archived: yes')
  expect(repo.withEnv({ GZA_AGENT: 'backend' }).gza('archive', '4').code).toBe(1)
  repo.gza('edit', '2', '--reopen')
  expect(numbers()).toEqual([2, 3])
  repo.gza('done', '2')
  expect(repo.gza('archive', '--restore').stdout).toBe('✓ Task #1 restored\n✓ Task #2 restored\n✓ Task #5 restored\n')
  expect(numbers('--status', 'done')).toEqual([1, 2, 4, 5])
  // Also what was finished within the second that has not ended.
  expect(JSON.parse(repo.gza('archive', '--older-than', '0', '--json').stdout)).toHaveLength(4)
  repo.gza('archive', '--restore')
  expect(repo.gza('archive').code).toBe(2)
  expect(repo.gza('verify').code).toBe(0)
})
