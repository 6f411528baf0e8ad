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
  expect(repo.gza('todo', 'start', '1').stderr).toContain('Item 1 is already task #1 (pending)')
  expect(repo.git('log', '--format=%s', 'refs/tasks/main')).toMatch(/^start task-\w+ in 5 steps$/)
  expect(repo.gza('todo', 'done', '4').stdout).toBe('Later\n4. [x] Größe – café\n')
  const ticked = Buffer.from(TODO)
  ticked[TODO.lastIndexOf('[ ]') + 1] = 'x'.charCodeAt(0)
  expect(readFileSync(path)).toEqual(ticked)
  expect(repo.gza('todo', 'done', '4').code).toBe(0)
  expect(readFileSync(path)).toEqual(ticked)
  expect(JSON.parse(repo.gza('todo', '--all', '--json').stdout)[3]).toEqual({
    ...{ item: 4, line: 8, text: 'Größe – café', done: true, depth: 0, heading: 'Later', task: null },
    ...{ was: null, maybe: [] },
  })
  expect(repo.gza('todo', 'done', '9').stderr).toContain('TODO.md has no item 9')
  expect(repo.gza('todo', 'strat', '1').code).toBe(2)

  expect(repo.gza('todo', 'done', '4').stderr).toBe('')
  repo.write('gza.yaml', 'todo:\n  flow: [Think, "implement: Do"]\n')
  expect(
    JSON.parse(repo.gza('todo', 'start', '3', '--json').stdout).map(({ title }: { title: string }) => title),
  ).toEqual(['Login', 'Think', 'Do'])
  expect(repo.gza('todo', 'start', '3', '--new').stderr).toBe(
    'Warning: Item 3 is a part of item 1, which is already task #1\n',
  )
  expect(repo.gza('todo', 'done', '1').stderr).toBe(
    'Warning: Task #1 is pending; gza tree 1 shows what is left of it\n',
  )
  expect(repo.gza('config', 'todo').stdout).toContain('Think, implement: Do')
  repo.write('gza.yaml', 'todo:\n  flow:\n    - plan: Think\n    - 3\n')
  expect(repo.gza('config', 'todo').stderr).toContain('gza.yaml:4:7: todo.flow.1 must be a title')
  repo.write('gza.yaml', 'todo:\n  flow:\n    - plan: Think\n')
  expect(repo.gza('config', 'todo').stdout).toContain('plan: Think')
  repo.write('gza.yaml', 'todo:\n  flow: Think\n')
  expect(repo.gza('todo', 'start', '3').stderr).toContain('gza.yaml:2:9: todo.flow must be a list of steps')
})

test('an item that is reworded stays the same task, and what is not sure is asked', () => {
  const repo = aRepo()
  const path = repo.write('TODO.md', '# Backlog\n- [ ] Add authentication\n- [ ] Tests\n\n## Later\n- [ ] Tests\n')
  repo.commit('first')
  repo.gza('todo', 'start', '1')
  repo.gza('todo', 'start', '3')
  expect(repo.gza('todo').stdout).toBe(`Backlog
1. [ ] Add authentication (#1 pending)
2. [ ] Tests
Later
3. [ ] Tests (#7 pending)
`)
  const reworded = '# Backlog\n- [ ] Authentication with OAuth\n- [ ] Tests\n\n## Later\n- [ ] Tests\n'
  writeFileSync(path, reworded)
  expect(repo.gza('todo').stdout).toContain('1. [ ] Authentication with OAuth (#1 pending, was: Add authentication)\n')
  expect(repo.gza('todo', 'start', '1').stderr).toContain(
    'Item 1 is already task #1 (pending; its text was: Add authentic',
  )
  writeFileSync(path, reworded.replace('Authentication with OAuth', 'Users can sign in'))
  expect(repo.gza('todo').stdout).toContain('1. [ ] Users can sign in (may be #1)\n')
  const unsure = repo.gza('todo', 'start', '1')
  expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining('may be task #1 (Add authentication)')])
  expect(unsure.stderr).toContain('gza todo link 1 1; if it is another task, gza todo start 1 --new')
  expect(repo.withEnv({ GZA_AGENT: 'codex' }).gza('todo', 'link', '1', '1').code).toBe(1)
  expect(repo.gza('todo', 'link', '1', '2').stderr).toContain('#2 is a part of another task')
  expect(repo.gza('todo', 'link', '1', '1').stdout).toBe('Backlog\n1. [ ] Users can sign in (#1 pending)\n')
  expect(repo.gza('todo', 'start', '1').stderr).toContain('Item 1 is already task #1 (pending)\n')
  expect(repo.gza('todo', 'start', '1', '--new').stdout).toMatch(/^#13 /)
  expect(repo.gza('todo').stdout).toContain('1. [ ] Users can sign in (#13 pending)\n')
  expect(readFileSync(path, 'utf8')).toBe(reworded.replace('Authentication with OAuth', 'Users can sign in'))
  expect(repo.gza('verify').code).toBe(0)
})

test('a line that looks like an item and is not one is reported, and so is a part that is a task already', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.write('TODO.md', '- [ ] Whole\n  - [ ] Part\n- [-] Given up\n- [ ]Tight\n-[ ] Tighter\n```\n- [ ] Swallowed\n')
  const { stdout, stderr } = repo.gza('todo')
  expect(stdout).toBe('1. [ ] Whole\n2.   [ ] Part\n')
  expect(stderr.split('\n')).toEqual([
    'Warning: TODO.md line 4 is not an item: no space after the checkbox',
    'Warning: TODO.md line 5 is not an item: no space before the checkbox',
    'Warning: TODO.md line 7 is not an item: inside the code block of line 6, which never ends',
    '',
  ])
  expect(repo.gza('todo', 'start', '2').stderr).toBe('')
  expect(repo.gza('todo', 'start', '1').stderr).toBe('Warning: Item 2 is a part of item 1, and is already task #1\n')
})
