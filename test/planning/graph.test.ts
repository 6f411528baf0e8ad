import { expect, test } from 'bun:test'
import { add } from '../support/ledger-calls.ts'
import { printed } from '../support/printed-ids.ts'
import { aRepo } from '../support/repo.ts'

function planned() {
  const repo = aRepo()
  const lines = [
    { id: 't1', content: 'Model of a user', files_to_create: ['src/user.ts'] },
    { id: 't2', content: 'Log in', files_to_modify: ['./src/user.ts'], after: 't1' },
    { id: 't3', content: 'Page <b>"to"</b> log in', after: ['t2', 't4'] },
    { id: 't4', content: 'Style sheet' },
    { id: 't5', content: 'Manual' },
    { id: 't6', content: 'Old', status: 'completed' },
    { id: 't7', content: 'Since then', after: 't6' },
  ]
  repo.run(['gza', 'import', '-'], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') })
  return repo
}

test('graph draws each open task below what it waits for, with the kinds', () => {
  const repo = planned()
  expect(repo.gza('graph')).toEqual(
    printed(`○ #1 Model of a user
└─ ○ #2 Log in ← #1 explicit+file
   └─ ○ #3 Page <b>"to"</b> log in ← #2 #4 explicit
○ #4 Style sheet

○ #5 Manual
○ #7 Since then

6 tasks, 3 dependencies: 2 explicit, 1 explicit+file
`),
  )
  expect(repo.gza('graph', '2').stdout).toBe(`○ #1 Model of a user
└─ ○ #2 Log in ← #1 explicit+file
   └─ ○ #3 Page <b>"to"</b> log in ← #2 explicit

3 tasks, 2 dependencies: 1 explicit, 1 explicit+file
`)
  const { tasks, edges, around_id } = JSON.parse(repo.gza('graph', '6', '--json').stdout)
  const [old, since] = tasks
  expect([old.number, old.status, since.number, around_id]).toEqual([6, 'completed', 7, old.id])
  expect(edges).toEqual([{ id: since.id, needs_id: old.id, kind: 'after', origin: 'explicit', origins: ['explicit'] }])
  const both = JSON.parse(repo.gza('graph', '2', '--json').stdout).edges[0]
  expect([both.origin, both.origins]).toEqual(['file', ['explicit', 'file']])
})

test('every dependency of --json says which field names the other task', () => {
  const repo = aRepo()
  const first = add(repo, 'one')
  const second = add(repo, 'two', '--after', first)
  const third = add(repo, 'three', '--depends-on', first, '--based-on', second)
  const part = add(repo, 'part', '--parent', third)
  const { edges } = JSON.parse(repo.gza('graph', '--json').stdout) as { edges: Record<string, string>[] }
  expect(edges.map(({ id, needs_id, kind }) => [id, needs_id, kind])).toEqual([
    [second, first, 'after'],
    [third, first, 'depends_on'],
    [third, second, 'based_on'],
    [third, part, 'child'],
  ])
  const both = aRepo()
  const leaf = add(both, 'leaf')
  add(both, 'whole', '--after', leaf)
  both.gza('edit', leaf, '--parent', '2')
  expect(JSON.parse(both.gza('graph', '--json').stdout).edges).toMatchObject([{ needs_id: leaf, kind: 'after' }])
})

test('a parent that depends on its child by name as well is reported', () => {
  const repo = aRepo()
  const lines = [
    { id: 'a', content: 'Whole', after: 'b' },
    { id: 'b', content: 'Part', parent: 'a' },
  ]
  repo.run(['gza', 'import', '-'], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') })
  expect(repo.gza('graph').stdout).toContain('└─ ○ #1 Whole ← #2 explicit+child\n')
})

test('graph as pictures, one at a time', () => {
  const repo = planned()
  expect(repo.gza('graph', '--mermaid').stdout).toContain('  t1 -.->|explicit+file| t2\n')
  expect(repo.gza('graph', '--dot').stdout).toStartWith('digraph tasks {\n')
  expect(repo.tasks('graph', '--svg').stdout).toMatch(/^<svg xmlns.*<\/svg>\n$/s)
  const both = repo.gza('graph', '--svg', '--json')
  expect([both.code, JSON.parse(both.stdout).error.message]).toEqual([2, '--svg and --json cannot be combined'])
})
