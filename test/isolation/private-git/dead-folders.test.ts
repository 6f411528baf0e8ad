import { expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ABOUT } from '../../../src/engine/isolation/private-git/private-git.ts'
import type { Repo } from '../../support/repo.ts'
import { aProject, type BoxedRun, RUN, startedRun } from './boxed-run.ts'

function anEmptyProject(): Repo {
  const repo = aProject()
  repo.git('update-ref', '-d', 'refs/tasks/main')
  return repo
}

/** What the next command of a person finds, after a run that died with its worktree removed by hand. */
function leave(run: BoxedRun): void {
  run.repo.git('worktree', 'remove', '--force', run.worktree.dir)
}

function privateFindings({ repo }: BoxedRun): Record<string, unknown>[] {
  const findings: Record<string, unknown>[] = JSON.parse(repo.gza('doctor', '--json').stdout)
  return findings.filter(({ name }) => name === 'private git')
}

test('a private folder whose worktree is gone is removed with its refs if its work was imported', async () => {
  const run = await startedRun(anEmptyProject())
  run.agent('echo more >> a.txt && git commit -qam one')
  await run.import()
  expect(run.repo.gza('work')).toMatchObject({ code: 0 })
  expect(existsSync(run.git.folder)).toBe(true)
  leave(run)
  expect(run.repo.gza('work')).toMatchObject({ code: 0 })
  expect(existsSync(run.git.folder)).toBe(false)
  expect(run.repo.git('for-each-ref', 'refs/gza/base')).toBe('')
})

test('one with commits that were not imported stays, and doctor names it', async () => {
  const run = await startedRun(anEmptyProject())
  run.agent('echo more >> a.txt && git commit -qam one')
  leave(run)
  expect(run.repo.gza('work')).toMatchObject({ code: 0 })
  expect(existsSync(run.git.folder)).toBe(true)
  expect(privateFindings(run)).toEqual([
    {
      name: 'private git',
      state: 'warn',
      detail: `${run.git.folder} contains commits of run ${RUN} for task/one that could not be imported`,
      next: 'Keep this folder: these commits are nowhere else.',
    },
  ])
})

test('a half-made one is removed', async () => {
  const run = await startedRun(anEmptyProject())
  rmSync(join(run.git.folder, ABOUT))
  writeFileSync(join(run.gitDir, 'index.lock'), '')
  expect(run.repo.gza('work')).toMatchObject({ code: 0 })
  expect(existsSync(run.git.folder)).toBe(false)
  expect(privateFindings(run)).toEqual([])
})
