import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorkplace } from '../../../src/engine/worktree/remove.ts'
import { changedFiles, type Workplace } from '../../../src/engine/worktree/workplace.ts'
import { aProject, commitIn, gitIn, type Project, put, textOf, worktreePaths } from './project-repo.ts'

test('a worktree with nothing but committed work goes, and its branch stays', async () => {
  const project = aProject({}, { '.gitignore': 'node_modules/\n' })
  const workplace = await project.workplace('20241213-fix')
  const commit = commitIn(project, workplace, { 'b.txt': 'two\n' })
  put(workplace, 'node_modules/x/index.js', 'installed')
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
  expect(existsSync(workplace.path)).toBe(false)
  expect(worktreePaths(project)).toEqual([project.person.dir])
  expect(project.person.git('rev-parse', '20241213-fix')).toBe(commit)
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
})

test('nothing that is not in a commit of a branch is ever removed', async () => {
  const cases: Record<string, (project: Project, at: Workplace) => void> = {
    modified: (_, at) => put(at, 'a.txt', 'changed\n'),
    staged: (project, at) => {
      put(at, 'b.txt', 'new\n')
      gitIn(project, at, 'add', 'b.txt')
    },
    untracked: (_, at) => put(at, 'b.txt', 'new\n'),
    deleted: (_, at) => rmSync(join(at.path, 'a.txt')),
    'an artifact that is ignored': (project, at) => {
      put({ path: join(project.person.dir, '.git/info') }, 'exclude', '.gza/\n')
      put(at, '.gza/plans/20241213-fix.md', 'the plan')
    },
    'an artifact that is not': (_, at) => put(at, '.gza/reviews/20241213-fix.md', 'the review'),
    'commits on no branch': (project, at) => {
      gitIn(project, at, 'checkout', '--quiet', '--detach')
      commitIn(project, at, { 'b.txt': 'new\n' })
    },
    'a commit on no branch, and no folder': (project, at) => {
      gitIn(project, at, 'checkout', '--quiet', '--detach')
      commitIn(project, at, { 'b.txt': 'new\n' })
      rmSync(at.path, { recursive: true })
    },
    'a bisection': (project, at) => gitIn(project, at, 'bisect', 'start'),
    'a repository inside': (project, at) => gitIn(project, at, 'init', '--quiet', 'inner'),
    'another repository in its place': (project, at) => {
      rmSync(join(at.path, '.git'))
      gitIn(project, at, 'init', '--quiet')
    },
    'a lock that a person set': (project, at) => {
      gitIn(project, at, 'worktree', 'unlock', at.path)
      gitIn(project, at, 'worktree', 'lock', at.path)
    },
  }
  for (const [name, leave] of Object.entries(cases)) {
    const project = aProject()
    const workplace = await project.workplace('20241213-fix')
    leave(project, workplace)
    const files = [...new Bun.Glob('**/*').scanSync({ cwd: project.person.env.HOME!, dot: true })].sort()
    expect([name, await removeWorkplace(project.repo, workplace)]).toEqual([name, 'kept'])
    expect([...new Bun.Glob('**/*').scanSync({ cwd: project.person.env.HOME!, dot: true })].sort()).toEqual(files)
    expect(worktreePaths(project)).toContain(workplace.path)
  }
})

test('looking takes no lock and writes nothing: an agent may be committing there', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const index = join(gitIn(project, workplace, 'rev-parse', '--absolute-git-dir'), 'index')
  put(workplace, 'left.txt', 'left')
  const before = readFileSync(index)
  utimesSync(join(workplace.path, 'a.txt'), 1, 1)
  expect(await removeWorkplace(project.repo, workplace)).toBe('kept')
  expect(readFileSync(index)).toEqual(before)
})

test('a detached worktree on a commit that a branch has may go', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  gitIn(project, workplace, 'checkout', '--quiet', '--detach', 'main')
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
})

test('a folder deleted by hand leaves no entry behind', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  rmSync(workplace.path, { recursive: true })
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
  expect(worktreePaths(project)).toEqual([project.person.dir])
})

test('a folder that git knows nothing of is not ours to remove', async () => {
  const project = aProject()
  const path = project.pathOf('20241213-fix')
  put({ path }, 'a.txt', 'somebody’s\n')
  expect(await removeWorkplace(project.repo, { path })).toBe('kept')
  expect(textOf({ path }, 'a.txt')).toBe('somebody’s\n')
})

test('changed files are those that differ, both names of a renamed one, whatever is in a name', async () => {
  const project = aProject({}, { 'a.txt': 'one\n', 'old.txt': 'same\n', 'kept.txt': 'kept\n' })
  const workplace = await project.workplace('20241213-fix')
  gitIn(project, workplace, 'mv', 'old.txt', 'new\nname “ü”.txt')
  const head = commitIn(project, workplace, { 'a.txt': 'two\n', 'dir/b.txt': 'new\n' })
  expect(await changedFiles(project.repo, workplace.base, head)).toEqual([
    'a.txt',
    'dir/b.txt',
    'new\nname “ü”.txt',
    'old.txt',
  ])
  expect(await changedFiles(project.repo, head, head)).toEqual([])
})
