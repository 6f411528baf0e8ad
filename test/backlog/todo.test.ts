import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { aRepo } from '../support/repo.ts'

const TODO = Buffer.from(
  '\uFEFF# Backlog\r\n\r\n- [ ] Add authentication  \r\n  - [x] Model\r\n  - [ ] Login\t\r\n\r\n## Later\r\n* [ ] Größe – café',
)

test('TODO.md is listed, an item is taken up with its steps, and ticking changes one byte', () => {
  const repo = aRepo()
  const path = repo.write('TODO.md', '')
  writeFileSync(path, TODO)
  repo.commit('first')
  expect(repo.gza('todo').stdout).toBe(`Backlog
1. [ ] Add authentication
3.   [ ] Login
Later
4. [ ] Größe – café
`)
  expect(repo.gza('todo', 'start', '1', '--plan', 'docs/plans/auth.md').stdout).toMatch(
    /^#1 task-\w+: Add authentication\n {4}#2 task-\w+: Brainstorm design \[explore\]\n/,
  )
  expect(repo.gza('tree').stdout).toBe(
    `[ ] Add authentication (plan: docs/plans/auth.md)
    [ ] Brainstorm design          <-- current position
    [ ] Set up worktree
    [ ] Write implementation plan
    [ ] Execute plan
    [ ] Finish branch
`,
  )
  expect(repo.gza('ready').stdout).toContain('#2')
  expect(repo.gza('todo', 'start', '1').stderr).toContain('Item 1 is task #1 already (pending)')
  expect(repo.git('log', '--format=%s', 'refs/tasks/main')).toMatch(/^start task-\w+ in 5 steps$/)
  expect(repo.gza('todo', 'done', '4').stdout).toBe('Later\n4. [x] Größe – café\n')
  const ticked = Buffer.from(TODO)
  ticked[TODO.lastIndexOf('[ ]') + 1] = 'x'.charCodeAt(0)
  expect(readFileSync(path)).toEqual(ticked)
  expect(repo.gza('todo', 'done', '4').code).toBe(0)
  expect(readFileSync(path)).toEqual(ticked)
  expect(JSON.parse(repo.gza('todo', '--all', '--json').stdout)[3]).toEqual({
    ...{ number: 4, line: 8, text: 'Größe – café', done: true, depth: 0, heading: 'Later', task: null },
  })
  expect(repo.gza('todo', 'done', '9').stderr).toContain('TODO.md has no item 9')
  expect(repo.gza('todo', 'strat', '1').code).toBe(2)

  repo.write('gza.yaml', 'todo:\n  flow: [Think, "implement: Do"]\n')
  expect(
    JSON.parse(repo.gza('todo', 'start', '3', '--json').stdout).map(({ title }: { title: string }) => title),
  ).toEqual(['Login', 'Think', 'Do'])
  expect(repo.gza('config', 'todo').stdout).toContain('Think, implement: Do')
  repo.write('gza.yaml', 'todo:\n  flow: Think\n')
  expect(repo.gza('todo', 'start', '3').stderr).toContain('gza.yaml:2:9: todo.flow must be a list of steps')
})
