import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'

/** Says when it begins and ends, each with its place. */
const ACT = 'echo "+ $PWD" >>"$beside/order"; commit "$task.txt" x; sleep 0.2; echo "- $PWD" >>"$beside/order"'

test('tasks of one title that start together have a branch and a worktree each', () => {
  const repo = anAgentRepo({ else: ACT })
  for (let count = 0; count < 6; count++) repo.add('Fix the bug')
  repo.gza('work', '--all', '--workers', '6')
  const tasks = ['1', '2', '3', '4', '5', '6'].map(repo.task)
  expect(tasks.map(({ status, runs }) => [status, runs.length])).toEqual(tasks.map(() => ['completed', 1]))
  expect(new Set(tasks.map(({ branch }) => branch)).size).toBe(6)
  expect(new Set(repo.calls().map(({ cwd }) => cwd)).size).toBe(6)
})

test('tasks that continue one branch are worked on one after the other', () => {
  const repo = anAgentRepo({ else: ACT })
  repo.add('first', '--type', 'implement')
  for (const title of ['second', 'third', 'fourth'])
    repo.add(title, '--type', 'implement', '--based-on', '1', '--same-branch')
  repo.gza('work', '--all', '--workers', '4')
  const tasks = ['1', '2', '3', '4'].map(repo.task)
  const branch = tasks[0]?.branch ?? null
  expect(tasks.map(({ status, branch, runs }) => [status, branch, runs.length])).toEqual(
    tasks.map(() => ['completed', branch, 1]),
  )
  expect(repo.git('log', '--format=%s', `main..${branch}`).split('\n')).toHaveLength(4)
  const place = repo.calls()[0]?.cwd
  expect(readFileSync(repo.beside('order'), 'utf8')).toBe(`+ ${place}\n- ${place}\n`.repeat(4))
})

test('naming a task whose branch another task uses reports that', async () => {
  const hold = 'touch "$beside/begun"; while ! test -e "$beside/go"; do sleep 0.05; done; commit b.txt b'
  const repo = anAgentRepo({ second: hold })
  repo.add('first', '--type', 'implement')
  repo.gza('work')
  for (const title of ['second', 'third']) repo.add(title, '--type', 'implement', '--based-on', '1', '--same-branch')
  const holder = repo.start(['gza', 'work', '2'])
  await until(() => existsSync(repo.beside('begun')), 'the first has the branch')
  expect(repo.why('3')).toBe('BRANCH_BUSY')
  const told = repo.gza('work', '3')
  writeFileSync(repo.beside('go'), '')
  expect((await holder).code).toBe(0)
  expect(told).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `Task #3 cannot start: its branch ${repo.task('1').branch} is used by another task`,
    ),
  })
})
