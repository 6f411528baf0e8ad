import { describe, expect, test } from 'bun:test'
import { idIn, printed } from '../support/printed-ids.ts'
import { aRepo } from '../support/repo.ts'

// The outputs of git tasks are fixed to the byte. Here git itself calls the built executable.
describe('git tasks', () => {
  test('add, add --after, ready, done, show: a task from its filing to its end', () => {
    const repo = aRepo()
    repo.commit('first')
    const git = (...args: string[]) => repo.run(['git', 'tasks', ...args])

    const first = git('add', 'Refactor auth middleware to use JWT')
    const a = idIn(first)
    expect(first).toEqual(printed(`${a}: Refactor auth middleware to use JWT\n`))

    const second = git('add', 'Write tests for JWT auth', '--after', a)
    const b = idIn(second)
    expect(second).toEqual(printed(`${b}: Write tests for JWT auth (after ${a})\n`))

    const c = idIn(git('add', 'Add input validation to /api/users endpoint'))
    expect(git('ready')).toEqual(
      printed(
        `${a}: Refactor auth middleware to use JWT\n${c}: Add input validation to /api/users endpoint\n(${b} blocked by ${a})\n`,
      ),
    )
    expect(git('list')).toEqual(
      printed(
        `${a}: Refactor auth middleware to use JWT\n` +
          `${b}: Write tests for JWT auth (blocked by ${a})\n` +
          `${c}: Add input validation to /api/users endpoint\n`,
      ),
    )

    expect(git('done', a)).toEqual(printed(`${a}: done\n`))
    const commit = repo.commit('Implement JWT auth', { 'jwt.ts': 'export {}\n' })
    expect(git('show', a).stdout.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')).toBe(
      `${a}: Refactor auth middleware to use JWT
status: done
created: TIME
closed: TIME
commit: ${commit.slice(0, 7)}
`,
    )
    expect(git('list', '--all').stdout).toStartWith(
      `${a}: Refactor auth middleware to use JWT (done)\n${b}: Write tests`,
    )
    expect(git('list', '--status', 'done')).toEqual(printed(`${a}: Refactor auth middleware to use JWT (done)\n`))
  })

  test('note, edit and delete answer with the id and one word', () => {
    const repo = aRepo()
    const a = idIn(repo.tasks('add', 'Refactor auth'))
    expect(repo.tasks('note', a, 'blocked: no database')).toEqual(printed(`${a}: noted\n`))
    expect(repo.tasks('edit', a, '--content', 'Refactor auth to use JWT (not sessions)')).toEqual(
      printed(`${a}: edited\n`),
    )
    expect(repo.tasks('show', a).stdout).toContain(`${a}: Refactor auth to use JWT (not sessions)\n`)
    expect(repo.tasks('show', a).stdout).toEndWith('note: blocked: no database\n')
    expect(repo.tasks('delete', a)).toEqual(printed(`${a}: deleted\n`))
    expect(repo.tasks('list', '--all')).toEqual(printed('', 'No open tasks on main. Add one: git tasks add "…"\n'))
  })

  test('pr prints the tasks and their dependencies as markdown', () => {
    const repo = aRepo()
    repo.commit('first')
    const a = idIn(repo.tasks('add', 'Refactor auth middleware to use JWT'))
    repo.tasks('done', a)
    const commit = repo.commit('Implement JWT auth', { 'jwt.ts': 'export {}\n' })
    const b = idIn(repo.tasks('add', 'Add input validation'))
    const c = idIn(repo.tasks('add', 'Write tests for auth middleware', '--after', b))
    expect(repo.tasks('pr')).toEqual(
      printed(`## Tasks

- [x] ${a}: Refactor auth middleware to use JWT (${commit.slice(0, 7)})
- [ ] ${b}: Add input validation
- [ ] ${c}: Write tests for auth middleware

### Dependency Graph
${b} → ${c} (blocked)
`),
    )
  })

  test('an agent may add, note and finish, and is refused edit and delete', () => {
    const agent = aRepo({ env: { ZAGI_AGENT: 'claude-code' } })
    const added = agent.tasks('add', 'Fix it', '--json')
    const a = idIn(added)
    expect(JSON.parse(added.stdout)).toMatchObject({ content: 'Fix it', created_by: 'claude-code', status: 'pending' })
    expect(agent.tasks('note', a, 'looking').code).toBe(0)
    for (const args of [
      ['edit', a, '--content', 'x'],
      ['edit', a],
      ['delete', a],
    ]) {
      const { code, stdout, stderr } = agent.tasks(...args)
      expect({ code, stdout, refused: stderr.startsWith('Error: ') }).toEqual({ code: 1, stdout: '', refused: true })
    }
    expect(agent.tasks('done', a)).toEqual(printed(`${a}: done\n`))
  })
})

describe('--json', () => {
  test('ready is an array whose first element is the task to do, and null ends the loop', () => {
    const repo = aRepo()
    expect(repo.tasks('ready', '--json')).toEqual(printed('[]\n'))
    const a = idIn(repo.tasks('add', 'One'))
    repo.tasks('add', 'Two', '--after', a)
    const ready = JSON.parse(repo.tasks('ready', '--json').stdout)
    expect(ready.map(({ id }: { id: string }) => id)).toEqual([a])
  })

  test('a task has these fields as JSON', () => {
    const repo = aRepo()
    const a = idIn(repo.tasks('add', 'One'))
    const task = JSON.parse(repo.tasks('show', a, '--json').stdout)
    expect(task).toMatchObject({
      id: a,
      content: 'One',
      status: 'pending',
      after: null,
      closed_at: null,
      closed_commit: null,
      notes: [],
    })
    expect(JSON.parse(repo.tasks('done', a, '--json').stdout)[0]).toMatchObject({ id: a, status: 'completed' })
  })

  test('after is null, an id or a list under git tasks, and always a list under gza', () => {
    const repo = aRepo()
    const [a, b] = [idIn(repo.tasks('add', 'One')), idIn(repo.tasks('add', 'Two'))]
    repo.tasks('add', 'Three', '--after', a)
    repo.tasks('add', 'Four', '--after', `${a},${b}`)
    const plain = [null, null, a, [a, b]]
    const afters = (name: 'gza' | 'tasks', ...args: string[]) =>
      JSON.parse(repo[name](...args).stdout).map(({ after }: { after: unknown }) => after)
    for (const args of [
      ['list', '--json'],
      ['list', '--json', '--fields', 'after'],
      ['next', '--all', '--json'],
      ['export', '--json'],
    ]) {
      expect([args, afters('tasks', ...args)]).toEqual([args, plain])
      expect([args, afters('gza', ...args)]).toEqual([args, [[], [], [a], [a, b]]])
    }
    const [{ tasks }] = JSON.parse(repo.tasks('status', '--json').stdout)
    expect(tasks.map(({ after }: { after: unknown }) => after)).toEqual(plain)
    expect(JSON.parse(repo.gza('show', '4', '--json').stdout).blocked_by).toMatchObject([
      { id: a, kind: 'after' },
      { id: b, kind: 'after' },
    ])
  })

  test('an error is JSON on the last line, with the exit code it has without', () => {
    const repo = aRepo()
    const { code, stdout, stderr } = repo.tasks('show', 'task-ffff', '--json')
    expect({ code, stderr }).toEqual({ code: repo.tasks('show', 'task-ffff').code, stderr: '' })
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').error).toContainAllKeys(['code', 'message', 'hint'])
  })
})
