import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

type Repo = ReturnType<typeof aRepo>

const tasksOf = (repo: Repo) =>
  JSON.parse(repo.gza('list', '--all', '--json').stdout) as {
    id: string
    key: string | null
    status: string
    depends_on: string[]
    after: string[]
    parent: string | null
    blocked_by: { number: number }[]
    priority: string
    created_by: string
  }[]

function withDiscounts(): Repo {
  const repo = aRepo()
  repo.gza('add', 'Something before')
  repo.gza(
    ...['add', 'Discounts\n\nAn async algorithm, behind authentication; integrate prices in one transaction, somehow.'],
    ...['--key', 'T1', '--after', '1', '--priority', 'high', '--accept', 'they are stored in a table'],
    ...['--accept', 'they are calculated once', '--accept', 'the page shows them'],
    ...['--files-to-create', 'src/models/a.ts,src/services/a.ts,src/views/a.ts'],
    ...['--files-to-modify', 'src/models/b.ts,src/services/b.ts,src/views/b.ts'],
  )
  repo.gza('add', 'Announce them', '--after', 'T1')
  return repo
}

test('a split is one commit: the parts are a chain of children, the first waits for what the whole waits for', () => {
  const repo = withDiscounts()
  const before = repo.gza('log', '--json').stdout
  expect(JSON.parse(repo.gza('split', 'T1', '--dry-run', '--json').stdout).parts).toHaveLength(3)
  expect(repo.gza('log', '--json').stdout).toBe(before)
  expect(repo.gza('split', 'T1').stdout).toEndWith('Split task #2 into 3 tasks\n')
  expect(JSON.parse(repo.gza('log', '--json').stdout).length).toBe(JSON.parse(before).length + 1)
  const [first, whole, announce, a, b, c] = tasksOf(repo)
  expect([a, b, c].map((part) => [part?.key, part?.parent, part?.after, part?.depends_on, part?.priority])).toEqual([
    ['T1-a', whole!.id, [first!.id], [], 'high'],
    ['T1-b', whole!.id, [], [a!.id], 'high'],
    ['T1-c', whole!.id, [], [b!.id], 'high'],
  ])
  expect(announce?.after).toEqual([whole!.id])
  expect(repo.gza('split', 'T1')).toMatchObject({
    code: 1,
    stderr: `Error: Task #2 already has children, such as ${a?.id}\n  gza split 4\n`,
  })
  expect(repo.gza('ready').stdout).not.toContain(': Discounts\n')
})

test('a strategy that was asked for is not reported as following from the score', () => {
  const repo = withDiscounts()
  const [dominant, asked] = [[], ['--strategy', 'criteria']].map((how) => repo.gza('split', 'T1', '--dry-run', ...how))
  expect(dominant?.stdout).toContain('  Strategy selected: LAYERS (dominant: cross_file_deps)\n')
  expect(asked?.stdout).toContain('  Strategy selected: CRITERIA (as requested; dominant: cross_file_deps)\n')
  const view = JSON.parse(repo.gza('show', '1', '--json').stdout)
  expect([view.user_story, view.estimated_complexity, view.on_hold]).toEqual([null, null, false])
})

test('an edit that gives a split task more than its parts have is reported', () => {
  const repo = withDiscounts()
  repo.gza('split', 'T1')
  expect(repo.gza('edit', 'T1', '--priority', 'low').stderr).toBe('')
  expect(repo.gza('edit', 'T1', '--test-files', 'test/a.test.ts').stderr).toBe(
    "Warning: T1 is split, but none of its parts has 'test/a.test.ts': gza edit T1-c\n",
  )
  repo.gza('edit', 'T1-c', '--test-files', 'test/a.test.ts')
  expect(repo.gza('edit', 'T1', '--priority', 'high').stderr).toBe('')
})

test('an agent may split a task, and the ledger stays without reproach', () => {
  const repo = withDiscounts()
  expect(repo.withEnv({ GZA_AGENT: 'claude-code' }).gza('split', 'T1').code).toBe(0)
  expect(tasksOf(repo).at(-1)).toMatchObject({ key: 'T1-c', created_by: 'claude-code' })
  expect(repo.gza('verify').code).toBe(0)
})

test('the whole completes with its last part, and releases the tasks that depend on it', () => {
  const repo = withDiscounts()
  repo.gza('split', 'T1')
  repo.gza('done', '1', 'T1-a', 'T1-b')
  expect(tasksOf(repo).map(({ status }) => status)).toEqual([
    ...['completed', 'pending', 'blocked', 'completed', 'completed', 'pending'],
  ])
  expect(repo.gza('done', 'T1-c').stdout).toBe('✓ Task #6 completed\n✓ Task #2 completed\n')
  expect(tasksOf(repo)[2]?.status).toBe('pending')
  repo.gza('undo')
  expect(tasksOf(repo)[1]?.status).toBe('pending')
})

test('a failed child blocks its parent and is named as the reason; skipping it finishes the parents above', () => {
  const repo = aRepo()
  const family = {
    content: 'top',
    children: [{ content: 'parent', children: [{ content: 'child', status: 'failed' }] }],
  }
  repo.run(['gza', 'import', '-'], { stdin: JSON.stringify(family) })
  repo.gza('add', 'sibling', '--parent', '2')
  repo.gza('done', '4')
  expect(tasksOf(repo).map(({ status }) => status)).toEqual(['pending', 'blocked', 'failed', 'completed'])
  expect(tasksOf(repo)[1]?.blocked_by).toMatchObject([{ number: 3 }])
  expect(JSON.parse(repo.gza('why', '2', '--json').stdout)).toMatchObject({ code: 'CHILD_FAILED' })
  expect(repo.gza('resolve', '3', '--skip').code).toBe(0)
  expect(tasksOf(repo).map(({ status }) => status)).toEqual(['completed', 'completed', 'skipped', 'completed'])
})

test('two clones that finish a child each finish the parent when they meet', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.run(['gza', 'import', '-'], { stdin: '- [ ] parent\n  - [ ] one\n  - [ ] two\n' })
  const remote = aRepo({ bare: true })
  repo.run(['git', 'remote', 'add', 'origin', remote.dir])
  repo.run(['git', 'push', '-q', 'origin', 'main'])
  repo.gza('sync')
  const other = remote.clone()
  other.gza('sync')
  repo.gza('done', '2')
  repo.gza('note', '1', 'half of it is there')
  other.gza('done', '3')
  repo.gza('sync')
  other.gza('sync')
  expect(other.gza('log').stdout).toContain('join origin, finishing')
  repo.gza('sync')
  expect(tasksOf(repo).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  expect(repo.gza('verify').code).toBe(0)
})

test('what cannot be split is refused with the reason, and what need not be split is not', () => {
  const repo = aRepo()
  repo.gza('add', 'Maybe async jwt algorithm migration webhooks caching, somehow', '--files-to-modify', 'a.ts')
  expect(repo.gza('split', '1').stderr).toStartWith(
    'Error: Task #1 cannot be split: it has fewer than two files and fewer than two acceptance criteria\n',
  )
  repo.gza('add', 'Small')
  expect(repo.gza('split', '2')).toMatchObject({ code: 0, stdout: expect.stringContaining('so it is not split') })
  repo.gza('done', '2')
  expect(repo.gza('split', '2').stderr).toStartWith('Error: Task #2 is completed; only a pending task can be split\n')
})
