import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorkplace } from '../../../src/engine/worktree/remove.ts'
import { aProject, commitIn, gitIn, type Project, put, textOf, worktreePaths } from './project-repo.ts'

const FILES = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`file-${at}.txt`, `${at}\n`]))

test('git killed while it lays out a worktree: nothing of it counts as work, and the next call makes it whole', async () => {
  const project = aProject({}, { ...FILES, 'm-deadly.txt': 'x', '.gitattributes': 'm-deadly.txt filter=deadly\n' })
  deadly(project)
  await expect(project.prepare('20241213-fix')).rejects.toThrow()
  const [, half = ''] = worktreePaths(project)
  expect(half).toBe(project.pathOf('20241213-fix'))
  expect(readdirSync(half)).not.toContain('m-deadly.txt')
  const workplace = { branch: '20241213-fix', path: half, base: project.first }
  expect(await project.keep(workplace)).toMatchObject({
    committed: false,
    head: project.first,
    fault: { kind: 'half-made' },
  })
  harmless(project)
  expect(await project.workplace('20241213-fix')).toEqual(workplace)
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
  expect(textOf(workplace, 'm-deadly.txt')).toBe('x')
})

test('git killed while it writes the link of a worktree: the next call makes the worktree whole', async () => {
  const project = aProject({}, FILES)
  const workplace = await project.workplace('20241213-fix')
  const folder = gitIn(project, workplace, 'rev-parse', '--absolute-git-dir')
  for (const name of Object.keys(FILES)) rmSync(join(workplace.path, name))
  writeFileSync(join(folder, 'locked'), 'initializing\n')
  truncateSync(join(workplace.path, '.git'))
  expect(await project.workplace('20241213-fix')).toEqual(workplace)
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
})

test('git killed in the middle of a merge: no branch comes of it, and the next call merges anew', async () => {
  const project = aProject({}, { ...FILES, '.gitattributes': 'm-deadly.txt filter=deadly\n' })
  const one = commitIn(project, await project.workplace('20241213-one'), { 'm-deadly.txt': 'x', 'one.txt': 'one' })
  const two = commitIn(project, await project.workplace('20241213-two'), { 'two.txt': 'two' })
  deadly(project)
  await expect(project.prepare('20241214-all', { merge: [two, one] })).rejects.toThrow()
  expect(project.person.git('branch', '--list', '20241214-all')).toBe('')
  const left = { branch: '20241214-all', path: project.pathOf('20241214-all'), base: project.first }
  expect(worktreePaths(project)).toContain(left.path)
  expect((await project.keep(left)).fault).toEqual({ kind: 'half-made' })
  harmless(project)
  const workplace = await project.workplace('20241214-all', { merge: [two, one] })
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
  expect([textOf(workplace, 'm-deadly.txt'), textOf(workplace, 'two.txt')]).toEqual(['x', 'two'])
})

test('a branch gets nothing of a merge that was killed, and all of it the next time', async () => {
  const project = aProject({}, { '.gitattributes': 'm-deadly.txt filter=deadly\n' })
  const one = commitIn(project, await project.workplace('20241213-one'), { 'm-deadly.txt': 'x', 'one.txt': 'one' })
  const own = commitIn(project, await project.workplace('20241213-own'), { 'own.txt': 'own' })
  deadly(project)
  await expect(project.prepare('20241213-own', { merge: [one] })).rejects.toThrow()
  expect(project.person.git('rev-parse', '20241213-own')).toBe(own)
  harmless(project)
  const workplace = await project.workplace('20241213-own', { merge: [one] })
  expect([textOf(workplace, 'm-deadly.txt'), textOf(workplace, 'own.txt')]).toEqual(['x', 'own'])
})

test('a removal that was cut short is finished, or the worktree made anew, and files that are gone count as nothing', async () => {
  for (const next of ['prepare', 'remove'] as const) {
    for (const gone of [['file-1.txt'], ['file-1.txt', '.git'], Object.keys(FILES)]) {
      const project = aProject({}, FILES)
      const workplace = await project.workplace('20241213-fix')
      const commit = commitIn(project, workplace, { 'own.txt': 'own' })
      writeFileSync(join(gitIn(project, workplace, 'rev-parse', '--absolute-git-dir'), 'gza-half-made'), '')
      for (const name of gone) rmSync(join(workplace.path, name))
      expect(await project.keep(workplace)).toMatchObject({ committed: false, head: commit, refused: [] })
      if (next === 'prepare') {
        expect(await project.workplace('20241213-fix')).toEqual(workplace)
        expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
      } else {
        expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
        expect(existsSync(workplace.path)).toBe(false)
      }
    }
  }
})

test('only the branch was made: it is taken up', async () => {
  const project = aProject()
  project.person.git('branch', '20241213-fix', project.first)
  expect((await project.workplace('20241213-fix')).base).toBe(project.first)
})

test('git’s entry was made, but the folder is still empty', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const folder = gitIn(project, workplace, 'rev-parse', '--absolute-git-dir')
  writeFileSync(join(folder, 'locked'), 'initializing')
  rmSync(join(folder, 'index'))
  for (const name of ['.git', 'a.txt']) rmSync(join(workplace.path, name))
  expect(await project.workplace('20241213-fix')).toEqual(workplace)
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
})

test('locks of a git that was killed in the worktree hold up neither the next commit nor the next attempt', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const folder = gitIn(project, workplace, 'rev-parse', '--absolute-git-dir')
  const locks = [
    join(folder, 'index.lock'),
    join(folder, 'HEAD.lock'),
    join(project.repo.commonDir, 'refs/heads/20241213-fix.lock'),
  ]
  for (const lock of locks) writeFileSync(lock, '')
  put(workplace, 'b.txt', 'two\n')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(locks.filter(existsSync)).toEqual([])
})

test('a worktree that another git writes down at this moment holds up neither making one nor removing one', async () => {
  const project = aProject()
  const other = await project.workplace('20241213-other')
  const file = join(gitIn(project, other, 'rev-parse', '--absolute-git-dir'), 'commondir')
  writeAgainSoon(file)
  const workplace = await project.workplace('20241213-fix')
  expect(gitIn(project, workplace, 'status', '--porcelain', '--branch')).toBe('## 20241213-fix')
  writeAgainSoon(file)
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
  expect(worktreePaths(project)).toEqual([project.person.dir, other.path])
})

/** As git has it for a moment: there, and still empty. */
function writeAgainSoon(file: string): void {
  const text = readFileSync(file)
  truncateSync(file)
  setTimeout(() => writeFileSync(file, text), 30)
}

/** Checking out the file ends git with everything it started, as kill -9 would. */
function deadly({ person }: Project): void {
  person.git('config', 'filter.deadly.smudge', 'kill -9 0')
  person.git('config', 'filter.deadly.required', 'true')
}

function harmless({ person }: Project): void {
  person.git('config', '--remove-section', 'filter.deadly')
}
