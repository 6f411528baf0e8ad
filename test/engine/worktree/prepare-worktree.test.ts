import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorkplace } from '../../../src/engine/worktree/remove.ts'
import { changedFiles } from '../../../src/engine/worktree/workplace.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { workplaceRoot } from '../../../src/platform/git/workplace-root.ts'
import { aRepo } from '../../support/repo.ts'
import { aProject, commitIn, gitIn, IDENTITY, projectOf, put, textOf, worktreePaths } from './project-repo.ts'

test('a workplace is a branch with a worktree of its own, outside the person’s', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  expect(workplace).toEqual({ branch: '20241213-fix', path: project.pathOf('20241213-fix'), base: project.first })
  expect(workplace.path).toStartWith(join(project.person.env.HOME!, '.local/state/gza/worktrees/repo-'))
  expect(gitIn(project, workplace, 'branch', '--show-current')).toBe('20241213-fix')
  expect(textOf(workplace, 'a.txt')).toBe('one\n')
  expect(project.person.git('status', '--porcelain')).toBe('')
})

test('every checkout of a repository, also through a link, has the same folder for them, and other repositories another', () => {
  const project = aProject()
  const root = workplaceRoot(project.repo, project.person.env)
  const linked = project.person.worktree('topic')
  expect(workplaceRoot(findRepo(linked.dir, linked.env), linked.env)).toBe(root)
  const link = join(project.person.dir, '../link')
  symlinkSync(project.person.dir, link)
  expect(workplaceRoot(findRepo(link, linked.env), linked.env)).toBe(root)
  const other = aProject()
  expect(workplaceRoot(other.repo, project.person.env)).not.toBe(root)
})

test('a home folder that is the repository itself does not see the worktrees', async () => {
  const person = aRepo()
  const home = person.withEnv({ HOME: person.dir, GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com' })
  const named = home.withEnv({ GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com' })
  const project = projectOf(named, named.commit('first'))
  const workplace = await project.workplace('20241213-fix')
  expect(workplace.path).toBe(join(person.dir, '.git/gza/worktrees/20241213-fix'))
  put(workplace, 'new.txt', 'new\n')
  expect((await project.keep(workplace)).committed).toBe(true)
  expect(named.git('status', '--porcelain')).toBe('')
})

test('prepared again it is taken over as it is, dirt and all', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const commit = commitIn(project, workplace, { 'b.txt': 'two\n' })
  put(workplace, 'a.txt', 'changed\n')
  put(workplace, 'c.txt', 'untracked\n')
  expect(await project.workplace('20241213-fix')).toEqual(workplace)
  expect(gitIn(project, workplace, 'rev-parse', 'HEAD')).toBe(commit)
  expect([textOf(workplace, 'a.txt'), textOf(workplace, 'c.txt')]).toEqual(['changed\n', 'untracked\n'])
})

test('a branch without a worktree is continued, and its base is where its own work began', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const commit = commitIn(project, workplace, { 'b.txt': 'two\n' })
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
  const later = project.person.commit('main continues', { 'a.txt': 'other\n' })
  expect(await project.workplace('20241213-fix', { from: later })).toEqual(workplace)
  expect(gitIn(project, workplace, 'rev-parse', 'HEAD')).toBe(commit)
})

test('a task on its predecessor’s branch starts from that work', async () => {
  const project = aProject()
  const first = await project.workplace('20241213-fix')
  const done = commitIn(project, first, { 'b.txt': 'two\n' })
  await removeWorkplace(project.repo, first)
  const second = await project.workplace('20241213-fix', { from: done })
  expect(second.base).toBe(done)
  commitIn(project, second, { 'c.txt': 'three\n' })
  expect((await project.workplace('20241213-fix', { from: done })).base).toBe(done)
})

test('a dependent has the work of all its unmerged predecessors, merged in order by the runner', async () => {
  const project = aProject()
  const heads: string[] = []
  for (const name of ['one', 'two', 'three']) {
    heads.push(commitIn(project, await project.workplace(`20241213-${name}`), { [`${name}.txt`]: name }))
  }
  const later = project.person.commit('main continues', { 'main.txt': 'main' })
  const workplace = await project.workplace('20241214-all', { from: later, merge: heads })
  for (const name of ['one', 'two', 'three', 'main']) expect(textOf(workplace, `${name}.txt`)).toBe(name)
  expect(workplace.base).toBe(gitIn(project, workplace, 'rev-parse', 'HEAD'))
  expect(gitIn(project, workplace, 'log', '--first-parent', '--format=%s by %an', `${later}..`).split('\n')).toEqual(
    heads.toReversed().map((head) => `Merge ${head.slice(0, 10)} into 20241214-all by Runner`),
  )
  const head = commitIn(project, workplace, { 'own.txt': 'own' })
  const again = await project.workplace('20241214-all', { from: later, merge: heads })
  expect(again.base).toBe(workplace.base)
  expect(await changedFiles(project.repo, again.base, head)).toEqual(['own.txt'])
})

test('predecessors in one line need no merge', async () => {
  const project = aProject()
  const one = commitIn(project, await project.workplace('20241213-one'), { 'one.txt': 'one' })
  const two = commitIn(project, await project.workplace('20241213-two', { merge: [one] }), { 'two.txt': 'two' })
  const workplace = await project.workplace('20241214-all', { merge: [one, two, project.first] })
  expect(workplace.base).toBe(two)
  const own = commitIn(project, workplace, { 'own.txt': 'own' })
  expect((await project.workplace('20241214-all', { merge: [one, two] })).base).toBe(two)
  expect(await changedFiles(project.repo, two, own)).toEqual(['own.txt'])
})

test('a branch that lacks a predecessor’s work gets it, and its base comes after it', async () => {
  const project = aProject()
  const first = await project.workplace('20241213-fix')
  const done = commitIn(project, first, { 'b.txt': 'two\n' })
  const other = commitIn(project, await project.workplace('20241213-other'), { 'other.txt': 'other' })
  const workplace = await project.workplace('20241213-fix', { from: done, merge: [other] })
  expect(textOf(workplace, 'other.txt')).toBe('other')
  expect(gitIn(project, workplace, 'log', '-1', '--format=%P', workplace.base)).toBe(`${done} ${other}`)
})

test('uncommitted work is not merged over', async () => {
  const project = aProject()
  const other = commitIn(project, await project.workplace('20241213-other'), { 'other.txt': 'other' })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'left.txt', 'left')
  await expect(project.prepare('20241213-fix', { merge: [other] })).rejects.toThrow(
    'has changes that are not committed',
  )
  expect(textOf(workplace, 'left.txt')).toBe('left')
  expect((await project.keep(workplace)).committed).toBe(true)
  expect(textOf(await project.workplace('20241213-fix', { merge: [other] }), 'other.txt')).toBe('other')
})

test('a conflict names the commit and the files, and leaves neither branch nor worktree', async () => {
  const project = aProject()
  const one = commitIn(project, await project.workplace('20241213-one'), { 'a.txt': 'mine\n', 'b.txt': 'mine\n' })
  const two = commitIn(project, await project.workplace('20241213-two'), { 'a.txt': 'yours\n', 'b.txt': 'yours\n' })
  const three = commitIn(project, await project.workplace('20241213-three'), { 'c.txt': 'c\n' })
  const before = worktreePaths(project)
  expect(await project.prepare('20241214-all', { merge: [three, one, two] })).toEqual({
    conflict: { with: two, files: ['a.txt', 'b.txt'] },
  })
  expect(worktreePaths(project)).toEqual(before)
  expect(project.person.git('branch', '--list', '20241214-all')).toBe('')
  expect(existsSync(project.pathOf('20241214-all'))).toBe(false)
})

test('a conflict on a branch that was there leaves it as it was', async () => {
  const project = aProject()
  const one = commitIn(project, await project.workplace('20241213-one'), { 'a.txt': 'mine\n' })
  const two = commitIn(project, await project.workplace('20241213-two'), { 'a.txt': 'yours\n' })
  const three = commitIn(project, await project.workplace('20241213-three'), { 'c.txt': 'c\n' })
  const prepared = await project.prepare('20241213-one', { merge: [three, two] })
  expect(prepared).toEqual({ conflict: { with: two, files: ['a.txt'] } })
  expect(project.person.git('rev-parse', '20241213-one')).toBe(one)
  expect(textOf(await project.workplace('20241213-one'), 'a.txt')).toBe('mine\n')
})

test('a branch that a person has checked out is not taken from them', async () => {
  const project = aProject()
  project.person.git('checkout', '--quiet', '-b', '20241213-fix')
  await expect(project.prepare('20241213-fix')).rejects.toThrow(
    expect.objectContaining({ code: 'BRANCH_CHECKED_OUT', message: expect.stringContaining(project.person.dir) }),
  )
})

test('a folder that is not a worktree is not overwritten; an empty one is used', async () => {
  const project = aProject()
  put({ path: project.pathOf('20241213-fix') }, 'notes.txt', 'somebody’s')
  await expect(project.prepare('20241213-fix')).rejects.toThrow(expect.objectContaining({ code: 'PATH_TAKEN' }))
  expect(textOf({ path: project.pathOf('20241213-fix') }, 'notes.txt')).toBe('somebody’s')
  expect(project.person.git('branch', '--list', '20241213-fix')).toBe('')
  mkdirSync(project.pathOf('20241213-other'))
  expect(textOf(await project.workplace('20241213-other'), 'a.txt')).toBe('one\n')
})

test('a worktree deleted by hand is made again, and others that are missing are left alone', async () => {
  const project = aProject()
  const lost = await project.workplace('20241213-lost')
  const unmounted = await project.workplace('20241213-unmounted')
  const commit = commitIn(project, lost, { 'b.txt': 'two\n' })
  rmSync(lost.path, { recursive: true })
  rmSync(unmounted.path, { recursive: true })
  expect(await project.workplace('20241213-lost')).toEqual(lost)
  expect(gitIn(project, lost, 'rev-parse', 'HEAD')).toBe(commit)
  expect(worktreePaths(project)).toContain(unmounted.path)
})

test('a worktree that lost its .git gets it back with everything in it', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'c.txt', 'untracked\n')
  rmSync(join(workplace.path, '.git'))
  expect(await project.workplace('20241213-fix')).toEqual(workplace)
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('?? c.txt')
})

test('a worktree that an agent left on another branch is replaced only if nothing in it is uncommitted', async () => {
  const project = aProject()
  const clean = await project.workplace('20241213-clean')
  gitIn(project, clean, 'checkout', '--quiet', '-b', 'elsewhere')
  commitIn(project, clean, { 'b.txt': 'two\n' })
  expect(await project.workplace('20241213-clean')).toEqual(clean)
  expect(gitIn(project, clean, 'branch', '--show-current')).toBe('20241213-clean')
  const dirty = await project.workplace('20241213-dirty')
  gitIn(project, dirty, 'checkout', '--quiet', '-b', 'nowhere')
  put(dirty, 'c.txt', 'work\n')
  await expect(project.prepare('20241213-dirty')).rejects.toThrow(expect.objectContaining({ code: 'WORKPLACE_ASTRAY' }))
  expect(textOf(dirty, 'c.txt')).toBe('work\n')
})

test('a commit that only another clone has is named', async () => {
  const project = aProject()
  const missing = 'ab'.repeat(20)
  await expect(project.prepare('20241213-fix', { merge: [missing] })).rejects.toThrow(
    expect.objectContaining({ code: 'COMMIT_MISSING', message: `Commit ${missing} is not in this repository` }),
  )
  expect(project.person.git('branch', '--list', '20241213-fix')).toBe('')
})

test('the person’s hooks, signing key and merge settings do not apply', async () => {
  const project = aProject()
  const { person } = project
  for (const hook of ['post-checkout', 'pre-merge-commit', 'commit-msg', 'reference-transaction', 'post-merge']) {
    person.run(['sh', '-c', `printf '#!/bin/sh\\ntouch ${person.dir}/../ran-${hook}; exit 1\\n' > .git/hooks/${hook}`])
    person.run(['chmod', '+x', `.git/hooks/${hook}`])
  }
  const settings = {
    'commit.gpgSign': 'true',
    'gpg.program': '/bin/false',
    'merge.ff': 'only',
    'core.editor': '/bin/false',
  }
  for (const [key, value] of Object.entries(settings)) person.git('config', key, value)
  const base = (name: string): string => person.git('commit-tree', '-p', project.first, '-m', name, treeWith(name))
  const treeWith = (name: string): string => {
    const blob = person.run(['git', 'hash-object', '-w', '--stdin'], { stdin: name }).stdout.trim()
    return person.run(['git', 'mktree'], { stdin: `100644 blob ${blob}\t${name}\n` }).stdout.trim()
  }
  const workplace = await project.workplace('20241213-fix', { merge: [base('one'), base('two')] })
  expect([textOf(workplace, 'one'), textOf(workplace, 'two')]).toEqual(['one', 'two'])
  expect(person.run(['sh', '-c', 'ls .. | grep ran-']).stdout).toBe('')
})

test('SHA-256, spaces and quotes in paths, bare repositories and redirecting variables make no difference', async () => {
  const spaced = aProject({ objectFormat: 'sha256' })
  const path = join(spaced.person.dir, '../a folder with spaces/and ’quotes’/20241213-fix')
  expect(await spaced.workplace('20241213-fix', { path })).toEqual({ branch: '20241213-fix', path, base: spaced.first })
  expect(spaced.first).toHaveLength(64)
  put({ path }, 'new.txt', 'new')
  expect((await spaced.keep({ branch: '20241213-fix', path, base: spaced.first })).head).toHaveLength(64)

  const bare = spaced.person.clone()
  bare.git('config', 'core.bare', 'true')
  const project = projectOf(bare.withEnv({ GIT_DIR: join(bare.dir, '.git') }), spaced.first)
  const workplace = await project.workplace('20241213-bare')
  put(workplace, 'new.txt', 'new')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
})

test('an unset identity does not matter: the runner has its own', async () => {
  const project = aProject()
  writeFileSync(join(project.person.env.HOME!, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n')
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'b.txt', 'two\n')
  await project.keep(workplace)
  expect(gitIn(project, workplace, 'log', '-1', '--format=%an <%ae> %cn <%ce>')).toBe(`${IDENTITY} ${IDENTITY}`)
  expect(readFileSync(join(workplace.path, 'b.txt'), 'utf8')).toBe('two\n')
})
