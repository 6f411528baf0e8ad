import { expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { IMPORT_STEPS } from '../../../src/core/run/named-steps.ts'
import { makePrivateGit } from '../../../src/engine/isolation/private-git/make.ts'
import { ABOUT } from '../../../src/engine/isolation/private-git/private-git.ts'
import { removePrivateGit } from '../../../src/engine/isolation/private-git/remove.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import type { Repo, Result } from '../../support/repo.ts'
import { aProject, type BoxedRun, BRANCH, RUN, startedRun } from './boxed-run.ts'

/** Work on the branch, on another one, and in a stash. */
const WORK = `
  echo more >> a.txt && git commit -qam 'change a'
  git branch aside HEAD && git checkout -q aside && echo x > x.txt && git add . && git commit -qm aside
  git checkout -q ${BRANCH} && echo s >> sub/b.txt && git stash -q
`

function importApart({ repo, git }: BoxedRun, crashAt?: string): Result {
  const program = fileURLToPath(import.meta.resolve('./import-program.ts'))
  return repo.run([process.execPath, program, repo.dir, git.folder], { env: { GZA_CRASH_AT: crashAt } })
}

function after({ repo, worktree }: BoxedRun) {
  return {
    refs: repo.git('for-each-ref', '--format=%(objectname) %(refname)'),
    index: worktree.git('ls-files', '--stage'),
    status: worktree.git('status', '--porcelain'),
  }
}

for (const step of IMPORT_STEPS) {
  test(`after a kill at ${step} the next import finishes, and the result is the same`, async () => {
    const undisturbed = await startedRun(aProject())
    undisturbed.agent(WORK)
    expect(importApart(undisturbed)).toMatchObject({ code: 0 })

    const run = await startedRun(aProject())
    run.agent(WORK)
    expect(importApart(run, step).code).toBe(137)
    expect(removeIn(run.repo, run.git.folder)).toBe(step === 'imported' ? 'removed' : 'kept')
    if (step === 'imported') return
    expect(importApart(run)).toMatchObject({ code: 0 })
    expect(after(run)).toEqual(after(undisturbed))
    expect(removeIn(run.repo, run.git.folder)).toBe('removed')
    expect(existsSync(run.git.folder)).toBe(false)
    expect(run.repo.git('for-each-ref', 'refs/gza/base', 'refs/gza/incoming')).toBe('')
  })
}

test('an import that is repeated changes nothing', async () => {
  const run = await startedRun(aProject())
  run.agent(WORK)
  const first = await run.import()
  const found = after(run)
  expect(await run.import()).toEqual({ ...first, kept: [] })
  expect(after(run)).toEqual(found)
})

test('locks that a killed git left in the real repository do not stop the import', async () => {
  const run = await startedRun(aProject())
  run.agent("echo more >> a.txt && git commit -qam 'change a'")
  writeFileSync(join(run.repo.dir, '.git/refs/heads', `${BRANCH}.lock`), '')
  writeFileSync(join(run.repo.dir, '.git/worktrees/one/index.lock'), '')
  expect(await run.import()).toMatchObject({ head: run.agent('git rev-parse HEAD').trim(), refused: [] })
  expect(run.worktree.git('status', '--porcelain')).toBe('')
})

test('commits on other branches and stashes are kept below refs/gza/kept, and nothing else is imported', async () => {
  const run = await startedRun(aProject())
  run.agent(`${WORK} echo t >> sub/b.txt && git stash -q && git config user.name Mallory && git tag mine`)
  const { kept } = await run.import()
  expect(kept.map((ref) => ref.replace(/\/[0-9a-f]{10}\//, '/ID/')).sort()).toEqual([
    `refs/gza/kept/${RUN}/ID/heads/aside`,
    `refs/gza/kept/${RUN}/ID/stash`,
    `refs/gza/kept/${RUN}/ID/stash`,
  ])
  expect(run.repo.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags').split('\n')).toEqual([
    ...['refs/heads/main', 'refs/heads/other', `refs/heads/${BRANCH}`, 'refs/tags/v1'],
  ])
  expect(run.repo.run(['git', 'stash', 'list']).stdout).toBe('')
})

test('a half-made private folder is made again', async () => {
  const run = await startedRun(aProject())
  rmSync(join(run.git.folder, ABOUT))
  rmSync(join(run.gitDir, 'packed-refs'))
  const again = await startedRun(run.repo, { path: run.worktree.dir })
  expect(again.agent('git log --oneline main | wc -l').trim()).toBe('2')
})

test('a folder with commits that were not imported is set aside, never removed', async () => {
  const run = await startedRun(aProject())
  run.agent(WORK)
  const made = run.agent('git rev-parse HEAD').trim()
  const { repo, git } = run
  expect(removeIn(repo, git.folder)).toBe('kept')
  const found = findRepo(repo.dir, repo.env)
  const order = { run: 'next', worktree: git.about.worktree, branch: BRANCH, folder: git.folder }
  const { setAside } = await makePrivateGit(found, order)
  expect(setAside).toBe(`${git.folder}.${RUN}`)
  expect(repo.run(['git', `--git-dir=${setAside}/git`, 'rev-parse', BRANCH]).stdout.trim()).toBe(made)
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/base').split('\n')).toEqual([
    ...[`refs/gza/base/${RUN}`, 'refs/gza/base/next'],
  ])
})

test('an unfinished merge stays, and the next run continues it', async () => {
  const run = await startedRun(aProject())
  run.agent('git checkout -q -b side other && echo side > a.txt && git commit -qam side')
  run.agent(`git checkout -q ${BRANCH} && echo mine > a.txt && git commit -qam mine && ! git merge side`)
  expect(await run.import()).toMatchObject({ fault: { kind: 'unfinished', what: 'merge' }, refused: [] })
  expect(removeIn(run.repo, run.git.folder)).toBe('kept')
  writeFileSync(join(run.gitDir, 'index.lock'), '')
  const next = await startedRun(run.repo, { path: run.worktree.dir })
  next.agent('echo both > a.txt && git add a.txt && git commit -qm merged')
  expect(await next.import()).toMatchObject({ head: next.agent('git rev-parse HEAD').trim(), fault: null })
  expect(run.worktree.git('log', '-1', '--format=%s')).toBe('merged')
})

test('a base that only the private folder needs is not pruned', async () => {
  const run = await startedRun(aProject())
  run.agent('echo more >> a.txt && git commit -qam one')
  const { repo } = run
  const tip = run.git.about.tip
  repo.git('checkout', '-q', '--detach', 'other')
  repo.git('update-ref', '-d', `refs/heads/${BRANCH}`)
  repo.git('update-ref', '-d', 'refs/heads/main')
  for (const ref of ['refs/tasks/main', 'refs/remotes/origin/main']) repo.git('update-ref', '--no-deref', '-d', ref)
  repo.git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD')
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('gc', '-q', '--prune=now')
  expect(repo.git('cat-file', '-t', tip)).toBe('commit')
  expect(run.agent('git log --oneline | wc -l').trim()).toBe('3')
  const imported = await run.import()
  expect(imported.refused).toEqual([`${BRANCH} was moved meanwhile, and not by its agent`])
  expect(imported.kept).toHaveLength(1)
})

test('a branch that a person moved meanwhile stays, and the agent’s commit is kept beside it', async () => {
  const run = await startedRun(aProject())
  run.agent('echo more >> a.txt && git commit -qam one')
  const made = run.agent('git rev-parse HEAD').trim()
  const persons = run.worktree.git('commit-tree', '-p', 'HEAD', '-m', 'a person’s', 'HEAD^{tree}')
  run.repo.git('update-ref', `refs/heads/${BRANCH}`, persons)
  const { head, kept, refused } = await run.import()
  expect({ head, refused }).toEqual({ head: persons, refused: [`${BRANCH} was moved meanwhile, and not by its agent`] })
  expect(run.repo.git('rev-parse', kept[0] ?? '')).toBe(made)
})

test('the private folder is in the state folder of the person, and the worktree’s own link is untouched', async () => {
  const run = await startedRun(aProject())
  const state = join(run.repo.env.HOME ?? '', '.local/state/gza/private')
  expect(dirname(dirname(run.git.folder))).toBe(state)
  expect(readdirSync(run.git.folder).sort()).toEqual([ABOUT, 'git', 'given', 'link'])
  expect(run.worktree.git('rev-parse', '--git-common-dir')).toBe(join(run.repo.dir, '.git'))
})

function removeIn(repo: Repo, folder: string): string {
  return removePrivateGit(findRepo(repo.dir, repo.env), folder)
}
