import { expect, test } from 'bun:test'
import { idIn, printed } from '../support/printed-ids.ts'
import { aRepo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

// The outputs of gza for commands that only read or write tasks are fixed to the byte.
function tarantino() {
  const repo = aRepo()
  const group = ['--group', 'tarantino-v2']
  repo.gza('add', 'Plan ImageTransform system', '--type', 'plan', ...group)
  repo.gza('add', 'Implement ImageTransform', '--type', 'implement', '--based-on', '1', '--review', ...group)
  repo.gza('add', 'Review ImageTransform impl', '-t', 'review', '--based-on', '2', ...group)
  return repo
}

test('add answers with number and id', () => {
  const repo = aRepo()
  repo.gza('add', 'One')
  const added = repo.gza('add', 'Add feature X', '-t', 'implement', '-a', '--max-cycles', '5')
  expect(added).toEqual(printed(`Created task #2 (${idIn(added)}): Add feature X\n`))
  expect(JSON.parse(repo.gza('show', '2', '--json').stdout)).toMatchObject({
    type: 'implement',
    auto_review: true,
    max_review_cycles: 5,
  })
})

test('next, and next --all', () => {
  const repo = aRepo()
  repo.gza('add', 'Design ImageTransform system', '--type', 'plan')
  repo.gza('add', 'Implement ImageTransform', '--type', 'implement', '--based-on', '1')
  repo.gza('add', 'Fix stats bug')
  repo.gza('add', 'Review ImageTransform', '--type', 'review', '--based-on', '2')
  expect(repo.gza('next')).toEqual(
    printed(`1. [plan] Design ImageTransform system
3. [task] Fix stats bug

(2 tasks blocked by dependencies)
`),
  )
  expect(repo.gza('next', '--all')).toEqual(
    printed(`1. [plan] Design ImageTransform system
2. [implement] Implement ImageTransform (blocked by #1)
3. [task] Fix stats bug
4. [review] Review ImageTransform (blocked by #2)
`),
  )
})

test('done, and status of a group', () => {
  const repo = tarantino()
  expect(repo.gza('done', '1')).toEqual(printed('✓ Task #1 completed\n'))
  const today = new Date().toISOString().replace(/^\d+-(\d+)-(\d+)T.*$/, '$1/$2')
  expect(repo.gza('status', 'tarantino-v2')).toEqual(
    printed(`Group: tarantino-v2
  ✓ 1. Plan ImageTransform system          completed  ${today}
  ○ 2. Implement ImageTransform            pending
  ○ 3. Review ImageTransform impl          pending (blocked by #2)
`),
  )
})

test('groups, and moving a task into a group and out of it', () => {
  const repo = tarantino()
  repo.gza('done', '1')
  for (const content of ['One', 'Two', 'Three', 'Four']) repo.gza('add', content)
  expect(repo.gza('edit', '4', '--group', 'auth-refactor')).toEqual(printed('✓ Task #4 edited\n'))
  repo.gza('edit', '5', '--group=auth-refactor')
  expect(repo.gza('groups')).toEqual(
    printed(`tarantino-v2      3 tasks (2 pending, 1 completed)
auth-refactor     2 tasks (2 pending)
(ungrouped)       2 tasks
`),
  )
  repo.gza('edit', '5', '--group', '')
  repo.gza('edit', '4', '--group=')
  expect(repo.gza('groups').stdout).toEndWith('(ungrouped)       4 tasks\n')
})

test('status of everything, with verdicts set by a person', () => {
  const act = 'case $prompt in "You are reviewing"*) echo "**Verdict: CHANGES_REQUESTED**" ;; *) commit x.txt 1 ;; esac'
  const repo = anAgentRepo({ else: act })
  repo.gza('add', 'Add feature X', '-t', 'implement')
  repo.gza('work')
  repo.gza('review', '1')
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  expect(repo.gza('status')).toEqual(
    printed(`  ✓ 1. implement Add feature X        completed  APPROVED
  ✓ 2. review Review Add feature X    completed  CHANGES_REQUESTED
`),
  )
})

test('--same-branch without --based-on is refused with the next step', () => {
  const { code, stdout, stderr } = aRepo().gza('add', 'x', '--same-branch')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^Error: --same-branch requires --based-on\n {2}gza add /)
})

test('dependencies may repeat and be comma lists', () => {
  const repo = aRepo()
  for (const content of ['One', 'Two', 'Three']) repo.gza('add', content)
  const added = repo.tasks('add', 'Four', '--after', '1,2', '--after', '3')
  expect(added.stdout).toMatch(/: Four \(after task-\w+, task-\w+, task-\w+\)\n$/)
})

test('-C runs in another folder, and --branch names another ledger', () => {
  const repo = aRepo()
  repo.commit('first', { 'sub/file': '' })
  expect(repo.run(['gza', '-C', repo.dir, 'add', 'From afar'], { cwd: '/' }).code).toBe(0)
  expect(repo.run(['gza', '-C', '..', '-C', 'repo/sub', 'list'], { cwd: repo.dir }).stdout).toContain('From afar')
  expect(repo.gza('add', 'Elsewhere', '--branch', 'other', '--create').code).toBe(0)
  expect(repo.gza('--branch', 'other', 'list').stdout).toMatch(/^#1 task-\w+: Elsewhere\n$/)
  expect(repo.gza('list', '--all-branches').stdout).toMatch(/From afar \[main\]\n.*Elsewhere \[other\]\n/)
})
