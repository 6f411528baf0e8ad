import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

const FIXTURES = join(import.meta.dir, '../fixtures/import')

function aShop(): Repo {
  const repo = aRepo()
  repo.commit('first')
  return repo
}

interface Row {
  key: string
  status: string
  id: string
  parent: string | null
  depends_on: string[]
}

/** The tasks with the keys of the tasks they name. */
function tasksIn(repo: Repo): Omit<Row, 'id'>[] {
  const rows: Row[] = JSON.parse(repo.gza('list', '--all', '--json').stdout)
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  const keyOf = (id: string) => keys.get(id) ?? id
  return rows
    .map(({ key, status, parent, depends_on }) => ({
      key,
      status,
      parent: parent && keyOf(parent),
      depends_on: depends_on.map(keyOf),
    }))
    .sort((a, b) => a.key.localeCompare(b.key))
}

test('a folder of beads becomes tasks with parents and dependencies in one commit, and once only', () => {
  const repo = aShop()
  const first = repo.gza('import', join(FIXTURES, 'beads'))
  expect(first.stdout).toBe('Imported 5 tasks from beads\n')
  expect(first.stderr).toBe(
    'line 6: shop-e5 is deleted\nshop-c3 waits for shop-gone, which does not exist; it is ignored\n',
  )
  expect(tasksIn(repo)).toEqual([
    { key: 'beads:shop-a1b2', status: 'pending', parent: null, depends_on: [] },
    { key: 'beads:shop-a1b2.1', status: 'completed', parent: 'beads:shop-a1b2', depends_on: [] },
    {
      key: 'beads:shop-a1b2.2',
      status: 'pending',
      parent: 'beads:shop-a1b2',
      depends_on: ['beads:shop-a1b2.1'],
    },
    { key: 'beads:shop-c3', status: 'pending', parent: null, depends_on: [] },
    { key: 'beads:shop-d4', status: 'pending', parent: null, depends_on: [] },
  ])
  expect(repo.git('log', '--format=%s', 'refs/tasks/main')).toBe('import 5 tasks from beads')
  const [filed] = JSON.parse(repo.gza('show', 'beads:shop-a1b2.1', '--json').stdout.replace(/^(?!\[)(.*)$/s, '[$1]'))
  expect(filed).toMatchObject({ created_at: '2026-01-05T15:13:01Z', closed_at: '2026-01-07T21:17:23Z' })

  repo.gza('delete', 'beads:shop-c3')
  const again = repo.gza('import', join(FIXTURES, 'beads', '.beads', 'issues.jsonl'))
  expect(again.stdout).toBe('Imported 0 tasks from beads, 5 already here\n')
  expect(repo.gza('verify').code).toBe(0)
})

test('Task Master and Backlog.md folders are recognised, and a new task finds the ones that came before', () => {
  const repo = aShop()
  expect(repo.tasks('import', join(FIXTURES, 'backlog')).stdout).toBe('Imported 6 tasks from backlog\n')
  expect(repo.gza('milestones').stdout).toContain('First release')
  const list = { tasks: [{ id: 1, title: 'Store the cart', status: 'done' }] }
  repo.write('tasks.json', JSON.stringify(list))
  expect(repo.gza('import', 'tasks.json').stdout).toBe('Imported 1 task from task-master\n')
  const more = { tasks: [...list.tasks, { id: 2, title: 'Pay by card', dependencies: [1] }] }
  repo.write('tasks.json', JSON.stringify(more))
  expect(repo.gza('import', '.', '--from', 'task-master', '--json').code).toBe(0)
  expect(tasksIn(repo).slice(-2)).toEqual([
    { key: 'task-master:1', status: 'completed', parent: null, depends_on: [] },
    { key: 'task-master:2', status: 'pending', parent: null, depends_on: ['task-master:1'] },
  ])
})

test('GitHub issues come through a pipe; a dry run files nothing', () => {
  const repo = aShop()
  const stdin = JSON.stringify([{ number: 7, title: 'Pay by card', state: 'OPEN', body: '' }])
  const dry = repo.run(['gza', 'import', '-', '--dry-run'], { stdin })
  expect(dry.stdout).toBe('new: Pay by card\nWould import 1 task from github\n')
  expect(repo.git('for-each-ref', 'refs/tasks')).toBe('')
  expect(JSON.parse(repo.run(['gza', 'import', '-', '--json'], { stdin }).stdout)).toMatchObject({
    created: [{ key: 'github:7', title: 'Pay by card', created_by: 'Test' }],
    tool: 'github',
    known_count: 0,
  })
})

test('nothing is imported when two tasks depend on each other, or when it is unknown which tool a folder belongs to', () => {
  const repo = aShop()
  const loop = { tasks: [1, 2].map((id) => ({ id, title: `Step ${id}`, dependencies: [3 - id] })) }
  repo.write('tasks.json', JSON.stringify(loop))
  const refused = repo.gza('import', 'tasks.json')
  expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
    1,
    'Error: These tasks wait for each other: Step 1 → Step 2 (explicit) → Step 1 (explicit)',
  ])
  repo.write('.beads/issues.jsonl', '{"id":"a","title":"A","issue_type":"task"}\n')
  expect(repo.gza('import', '.')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('contains tasks of beads and task-master'),
  })
  expect(repo.gza('import', 'tasks.json', '--from', 'beads').code).toBe(1)
  expect(repo.gza('import', '.beads', '--from', 'backlog')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains no tasks of'),
  })
  expect(repo.git('for-each-ref', 'refs/tasks')).toBe('')
})

test('an agent imports in its own name and at its own time', () => {
  const repo = aShop().withEnv({ GZA_AGENT: 'claude-code' })
  expect(repo.gza('import', join(FIXTURES, 'beads')).code).toBe(0)
  const rows: { created_by: string; created_at: string }[] = JSON.parse(repo.gza('list', '--all', '--json').stdout)
  expect(new Set(rows.map((row) => row.created_by))).toEqual(new Set(['claude-code']))
  expect(rows.every((row) => row.created_at > '2026-01-10')).toBe(true)
  expect(repo.gza('verify').code).toBe(0)
})

test('an import again says what the tool says differently by now, and takes it over where asked', () => {
  const repo = aShop()
  const first = { id: 1, title: 'Store the cart', status: 'pending', dependencies: [] }
  const write = (...tasks: object[]) => repo.write('tasks.json', JSON.stringify({ tasks }))
  write(first, { id: 2, title: 'Pay by card', status: 'pending' }, { id: 3, title: 'Mail', status: 'pending' })
  repo.gza('import', 'tasks.json')
  repo.gza('edit', '1', '--assigned-agent', 'codex')
  repo.gza('done', '3')
  expect(repo.gza('import', 'tasks.json').stdout).toBe('Imported 0 tasks from task-master, 3 already here\n')
  write(
    { ...first, status: 'done' },
    { id: 2, title: 'Pay', priority: 'high', dependencies: [1] },
    { id: 3, title: 'Post' },
  )
  const differences = `#1 task-master:1: Store the cart
  status: pending → completed
#2 task-master:2: Pay by card
  content: Pay by card → Pay
  priority: medium → high
  depends_on: + task-master:1
`
  expect(repo.gza('import', 'tasks.json').stdout).toBe(
    `${differences}Imported 0 tasks from task-master, 3 already here, 2 differ (--update applies the changes)\n`,
  )
  expect(repo.withEnv({ GZA_AGENT: 'codex' }).gza('import', 'tasks.json', '--update').stderr).toContain(
    'import --update is blocked in agent mode',
  )
  expect(repo.gza('import', 'tasks.json', '--update').stdout).toBe(
    `${differences}Imported 0 tasks from task-master, updated 2, 3 already here\n`,
  )
  expect(tasksIn(repo)).toEqual([
    { key: 'task-master:1', status: 'completed', parent: null, depends_on: [] },
    { key: 'task-master:2', status: 'pending', parent: null, depends_on: ['task-master:1'] },
    { key: 'task-master:3', status: 'completed', parent: null, depends_on: [] },
  ])
  expect(JSON.parse(repo.gza('import', 'tasks.json', '--json').stdout)).toMatchObject({
    known_count: 3,
    differences: [],
  })
  expect(repo.gza('verify').code).toBe(0)
})

test('the first milestones of two repositories are two, in one list as in two', () => {
  const issue = (place: string) => {
    const milestone = { number: 1, title: `Of ${place}`, description: '' }
    return { number: 1, title: 'A', state: 'OPEN', url: `https://github.com/${place}/issues/1`, milestone }
  }
  const names = (...lists: object[][]) => {
    const repo = aShop()
    for (const list of lists) repo.run(['gza', 'import', '-'], { stdin: JSON.stringify(list) })
    const milestones: { name: string }[] = JSON.parse(repo.gza('milestones', '--json').stdout)
    return milestones.map(({ name }) => name).sort()
  }
  expect(names([issue('a/b')], [issue('c/d')])).toEqual(['Of a/b', 'Of c/d'])
  expect(names([issue('a/b'), issue('c/d')])).toEqual(['Of a/b', 'Of c/d'])
  expect(names([issue('a/b')], [issue('a/b')])).toEqual(['Of a/b'])
})

test('a task is as open as the tool has it, and is not closed before its parts', () => {
  const repo = aShop()
  const write = (status: string, parts: string[]) => {
    const subtasks = parts.map((part, at) => ({ id: at + 1, title: `Part ${at + 1}`, status: part }))
    repo.write('tasks.json', JSON.stringify({ tasks: [{ id: 1, title: 'Checkout', status, subtasks }] }))
  }
  const statuses = () => tasksIn(repo).map(({ status }) => status)
  write('pending', ['done'])
  repo.gza('import', 'tasks.json')
  expect(statuses()).toEqual(['pending', 'completed'])
  write('done', ['done', 'pending'])
  const early = repo.gza('import', 'tasks.json', '--update')
  expect(early.stdout + early.stderr).toContain(
    'task-master:1 is completed there, but #3 below it is open here; it stays open',
  )
  expect(statuses()).toEqual(['pending', 'completed', 'pending'])
  write('done', ['done', 'done'])
  repo.gza('import', 'tasks.json', '--update')
  expect(statuses()).toEqual(['completed', 'completed', 'completed'])
})

test('what gza export prints comes back as it was in an empty repository, and changes nothing where it came from', () => {
  const repo = aShop()
  repo.gza('import', join(FIXTURES, 'backlog'))
  repo.gza('add', 'Last', '--after', '1', '--files-to-create', 'a.ts', '--milestone', 'M9')
  repo.gza('note', '7', 'a note')
  repo.gza('edit', '7', '--priority', 'high')
  repo.gza('delete', '3')
  const lines = repo.gza('export').stdout
  const other = aShop()
  expect(other.run(['gza', 'import', '-'], { stdin: lines }).stdout).toBe('Imported 7 tasks\n')
  expect(other.gza('export').stdout).toBe(lines)
  for (const each of [repo, other])
    expect(each.run(['gza', 'import', '-'], { stdin: lines }).stdout).toBe('Imported 0 tasks, 7 already here\n')
  expect(other.gza('verify').code).toBe(0)
})
