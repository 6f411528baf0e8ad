import { expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

/** Two clones each make an edit that is fine by itself: joined, #1, #2 and #3 wait for each other, and #4 for them. */
function joinedLoop(): Repo {
  const origin = aRepo()
  origin.commit('first')
  for (const title of ['one', 'two', 'three', 'four']) origin.gza('add', title)
  const clone = origin.clone()
  clone.gza('sync')
  clone.gza('edit', '2', '--after', '3')
  clone.gza('edit', '4', '--after', '1')
  origin.gza('edit', '1', '--after', '2')
  origin.gza('edit', '3', '--depends-on', '1')
  expect(clone.gza('sync').code).toBe(0)
  return clone
}

test('a dependency cycle that a merge made goes to the inbox whole, and every command says that nothing can run', () => {
  const repo = joinedLoop()
  const line = 'nothing can run, and 4 tasks are left: #1 → #2 → #3 → #1 wait for each other'
  const inbox = JSON.parse(repo.gza('inbox', '--json').stdout)
  expect(inbox.map(({ code, detail }: Record<string, string>) => [code, detail])).toEqual([
    ['DEADLOCK', '#1 → #2 (explicit) → #3 (explicit) → #1 (explicit) wait for each other'],
  ])
  const work = repo.gza('work')
  expect([work.code, work.stdout]).toEqual([1, `DEADLOCK: ${line}. gza inbox shows what to do\n`])
  expect(JSON.parse(repo.gza('work', '--all', '--json').stdout).deadlock).toMatchObject({ open_count: 4, detail: line })
  expect(repo.gza('next')).toEqual({
    code: 0,
    stdout: '(4 tasks blocked by dependencies)\n',
    stderr: `DEADLOCK: ${line}. gza inbox shows what to do\n`,
  })
  expect(repo.gza('why', '2').stdout).toBe('#2 DEADLOCK: it waits for itself: #2 → #3 → #1 → #2\n')
  expect(repo.gza('why', '4').stdout).toBe(
    '#4 DEADLOCK: it waits for tasks that wait for each other: #1 → #2 → #3 → #1\n',
  )
  expect(repo.gza('graph').stdout).toContain('DEADLOCK  #1 → #2 → #3 → #1 wait for each other\n')
  for (const command of inbox[0].commands.slice(1)) expect(repo.run(['sh', '-c', command]).code).toBe(0)
  expect(repo.gza('inbox', '--json').stdout).toBe('[]\n')
  expect(repo.gza('next')).toMatchObject({ stderr: '', stdout: expect.stringContaining('. [task] ') })
})

test('the way out of a dependency cycle takes out one dependency, and none that is not part of it', () => {
  const origin = aRepo()
  origin.commit('first')
  for (const title of ['one', 'two', 'other', 'whole']) origin.gza('add', title)
  origin.gza('add', 'part', '--parent', '4')
  const clone = origin.clone()
  clone.gza('sync')
  clone.gza('edit', '2', '--after', '4', '--after', '3')
  origin.gza('edit', '5', '--depends-on', '3', '--depends-on', '2')
  expect(clone.gza('sync').code).toBe(0)
  const [item] = JSON.parse(clone.gza('inbox', '--json').stdout)
  expect(item.detail).toBe('#2 → #4 (explicit) → #5 (child) → #2 (explicit) wait for each other')
  const ways = ['gza edit 2 --after 3', 'gza edit 5 --depends-on 3']
  expect(ways).toContain(item.commands[1])
  expect(clone.run(['sh', '-c', item.commands[1]]).code).toBe(0)
  expect(clone.gza('inbox', '--json').stdout).toBe('[]\n')
  expect(JSON.parse(clone.gza('graph', '--json').stdout).edges).toHaveLength(4)
})

test('tasks that depend on a failed one are a deadlock once nothing else is left', () => {
  const repo = aRepo()
  repo.commit('first')
  const lines = [
    { id: 'a', content: 'broken', status: 'failed' },
    { id: 'b', content: 'behind it', after: 'a' },
    { id: 'c', content: 'far behind', after: 'b' },
    { id: 'd', content: 'free' },
  ]
  repo.run(['gza', 'import', '-'], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') })
  const codes = () => JSON.parse(repo.gza('inbox', '--json').stdout).map(({ code }: { code: string }) => code)
  expect([codes(), repo.gza('next').stderr]).toEqual([['FAILED'], ''])
  repo.gza('done', '4')
  expect(codes()).toEqual(['FAILED', 'DEADLOCK'])
  expect(repo.gza('next').stderr).toStartWith('DEADLOCK: nothing can run, and 2 tasks are left: #1 failed.')
  expect(repo.gza('why', '3').stdout).toBe(
    '#3 DEPENDENCY_FAILED: it waits for others that wait for #1, which has failed; gza retry 1\n',
  )
  // Every hint names a command that works: `work 1` and `work 2` would only be refused.
  expect(repo.gza('work', '2').stderr).toBe('Error: Task #2 is blocked by task #1 (failed)\n  gza retry 1\n')
  expect(repo.tasks('work', '3').stderr).toBe('Error: Task #3 is blocked by task #2 (pending)\n  git tasks retry 1\n')
  expect(repo.gza('logs', '3').stderr).toEndWith('has never run\n  gza retry 1\n')
})
