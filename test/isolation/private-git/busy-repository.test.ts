import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { addWorktree, aProject, BRANCH, startedRun } from './boxed-run.ts'

test('a fetch waits while git adds the worktree of another run, whose HEAD is no commit yet', async () => {
  const repo = aProject()
  const run = await startedRun(repo)
  const made = run
    .agent("echo more >> a.txt && git commit -qam 'change a' && git repack -qd && git rev-parse HEAD")
    .trim()
  addWorktree(repo, 'task/two')
  const head = join(repo.dir, '.git/worktrees/two/HEAD')
  const real = readFileSync(head, 'utf8')
  // What `git worktree add` writes first.
  writeFileSync(head, `${'0'.repeat(40)}\n`)
  const calls = `${repo.dir}-calls`
  const counted = (argv: readonly string[]) => ['sh', '-c', `echo call >>'${calls}'; exec "$@"`, 'sh', ...argv]
  const importing = run.import(counted)
  await until(() => existsSync(calls) && readFileSync(calls, 'utf8').length > 'call\n'.length)
  writeFileSync(head, real)
  expect(await importing).toMatchObject({ head: made, fault: null, refused: [] })
  expect(repo.git('rev-parse', BRANCH)).toBe(made)
})
