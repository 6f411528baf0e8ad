import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import type { Imported } from '../../../src/engine/isolation/private-git/import-work.ts'
import { aRepo, type Repo } from '../../support/repo.ts'
import { aProject, type BoxedRun, BRANCH, startedRun } from './boxed-run.ts'

const COMMIT =
  "echo more >> a.txt && git commit -qam 'change a' && git status --porcelain && git fsck --strict --no-dangling"

/** The agent's commit is on the real branch, and both repositories are sound. */
async function expectWork(run: BoxedRun): Promise<Imported> {
  const made = run.agent('git rev-parse HEAD').trim()
  const imported = await run.import()
  expect(imported).toEqual({ head: made, fault: null, tampering: [], kept: [], refused: [] })
  expect(run.worktree.git('rev-parse', 'HEAD')).toBe(made)
  expect(run.worktree.git('status', '--porcelain')).toBe('')
  expect(run.worktree.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress'])).toMatchObject({ code: 0 })
  return imported
}

test('a SHA-256 repository', async () => {
  const run = await startedRun(aProject({ objectFormat: 'sha256' }))
  run.agent(COMMIT)
  expect((await expectWork(run)).head).toHaveLength(64)
})

test('a bare repository with worktrees', async () => {
  const bare = aRepo({ bare: true })
  const tree = bare.run(['git', 'mktree'], { stdin: '' }).stdout.trim()
  const commit = bare.run(['git', 'commit-tree', tree, '-m', 'first']).stdout.trim()
  bare.git('update-ref', 'refs/heads/main', commit)
  const run = await startedRun(bare)
  run.agent('echo a > a.txt && git add a.txt && git commit -qm a')
  await expectWork(run)
})

test('a split index', async () => {
  const repo = aProject()
  repo.git('config', 'core.splitIndex', 'true')
  const run = await startedRun(repo)
  expect(readdirSync(run.gitDir).some((name) => name.startsWith('sharedindex.'))).toBe(true)
  run.agent(COMMIT)
  await expectWork(run)
})

for (const mode of ['--cone', '--no-cone', '--sparse-index']) {
  test(`a sparse checkout (${mode}) stays sparse, inside and outside`, async () => {
    const repo = aProject()
    const path = join(dirname(repo.dir), 'sparse')
    repo.git('worktree', 'add', '--quiet', '-b', BRANCH, path)
    const only = mode === '--no-cone' ? '/a.txt' : 'other'
    repo.run(['git', 'sparse-checkout', 'set', mode, only], { cwd: path })
    expect(existsSync(join(path, 'sub/b.txt'))).toBe(false)
    const run = await startedRun(repo, { path })
    expect(run.agent('git status --porcelain')).toBe('')
    run.agent(COMMIT)
    await expectWork(run)
    expect(existsSync(join(path, 'sub/b.txt'))).toBe(false)
    expect(run.worktree.git('ls-files', '-t', 'sub/b.txt')).toBe('S sub/b.txt')
  })
}

test('a shallow clone stays as shallow as it was', async () => {
  const origin = aProject()
  const dir = join(dirname(origin.dir), 'shallow')
  origin.git('clone', '--quiet', '--depth', '1', `file://${origin.dir}`, dir)
  const repo = inClone(origin, dir)
  const before = readFileSync(join(dir, '.git/shallow'), 'utf8')
  const run = await startedRun(repo)
  run.agent(`${COMMIT} && test "$(git log --oneline | wc -l)" = 2`)
  await expectWork(run)
  expect(readFileSync(join(dir, '.git/shallow'), 'utf8')).toBe(before)
})

test('a partial clone: what is there can be used, and nothing is fetched by the import', async () => {
  const origin = aProject()
  origin.git('config', 'uploadpack.allowFilter', 'true')
  const dir = join(dirname(origin.dir), 'partial')
  origin.git('clone', '--quiet', '--filter=blob:none', `file://${origin.dir}`, dir)
  const repo = inClone(origin, dir)
  const missing = () =>
    repo.run(['git', 'rev-list', '--objects', '--all', '--missing=print']).stdout.match(/^\?/gm)?.length
  const before = missing()
  expect(before).toBeGreaterThan(0)
  const run = await startedRun(repo)
  run.agent("echo more >> a.txt && git commit -qam 'change a' && git status --porcelain")
  const made = run.agent('git rev-parse HEAD').trim()
  expect(await run.import()).toMatchObject({ head: made, refused: [] })
  expect(missing()).toBe(before as number)
  // The agent's git can fetch what is missing if it can reach the remote.
  run.agent('git show HEAD~2:a.txt')
})

test('a submodule that the agent checks out has its repository in the private folder, which then stays', async () => {
  const library = aRepo()
  library.commit('library', { 'lib.txt': 'lib\n' })
  const repo = aProject()
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.dir, 'lib')
  repo.commit('with a submodule')
  const run = await startedRun(repo)
  run.agent('git -c protocol.file.allow=always submodule --quiet update --init && test -f lib/lib.txt')
  run.agent(COMMIT)
  expect(existsSync(join(run.gitDir, 'modules/lib'))).toBe(true)
  const imported = await run.import()
  expect(imported).toMatchObject({ head: run.agent('git rev-parse HEAD').trim(), fault: null, refused: [] })
})

if (isHere(TOOLS.lfs))
  test('LFS: a new object is copied by its hash, and one with other content is not', async () => {
    const repo = aProject()
    repo.git('lfs', 'install', '--local')
    repo.git('lfs', 'track', '*.bin')
    repo.commit('lfs', { 'old.bin': 'old\n' })
    const run = await startedRun(repo)
    expect(readFileSync(join(run.worktree.dir, 'old.bin'), 'utf8')).toBe('old\n')
    run.agent("printf new > new.bin && git add . && git commit -qm 'new object' && git lfs ls-files | grep new.bin")
    // An object that only the real repository has can be checked out.
    run.agent('rm old.bin && git checkout -q -- old.bin && test "$(cat old.bin)" = old')
    const planted = join(run.gitDir, 'lfs/objects/aa/aa', 'a'.repeat(64))
    mkdirSync(dirname(planted), { recursive: true })
    writeFileSync(planted, 'not what it says')
    const imported = await run.import()
    expect(imported).toMatchObject({ head: run.agent('git rev-parse HEAD').trim(), fault: null })
    expect(imported.refused).toEqual([`LFS object ${'a'.repeat(64)}: its content is not what its name says`])
    const oid = new Bun.CryptoHasher('sha256').update('new').digest('hex')
    const object = (name: string) => join(repo.dir, '.git/lfs/objects', name.slice(0, 2), name.slice(2, 4), name)
    expect(readFileSync(object(oid), 'utf8')).toBe('new')
    expect(existsSync(object('a'.repeat(64)))).toBe(false)
    expect(run.worktree.run(['git', 'lfs', 'fsck']).code).toBe(0)
  })

test('hooks of the repository run, and those that the agent changes stay in the private folder', async () => {
  const repo = aProject()
  const hook = (dir: string, name: string, text: string) => {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(dir, name), 0o755)
  }
  hook(join(repo.dir, '.git/hooks'), 'commit-msg', 'echo checked >> "$1"')
  const run = await startedRun(repo)
  run.agent(COMMIT)
  expect(run.agent('git log -1 --format=%B')).toContain('checked')
  run.agent('echo "exit 1" > "$GIT_DIR/hooks/commit-msg"')
  await expectWork(run)
  expect(readFileSync(join(repo.dir, '.git/hooks/commit-msg'), 'utf8')).toContain('checked')
})

for (const path of ['.husky/_', 'ABSOLUTE/.husky/_']) {
  test(`hooks in the tree (core.hooksPath ${path}) are those of the worktree`, async () => {
    const repo = aProject()
    repo.write('.husky/_/pre-commit', '#!/bin/sh\necho ran > ran.txt && git add ran.txt\n')
    chmodSync(join(repo.dir, '.husky/_/pre-commit'), 0o755)
    repo.commit('hooks')
    repo.git('config', 'core.hooksPath', path.replace('ABSOLUTE', repo.dir))
    const run = await startedRun(repo)
    run.agent(COMMIT)
    await expectWork(run)
    expect(run.worktree.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['a.txt', 'ran.txt'])
  })
}

test('a worktree’s own excludes, the repository’s excludes and attributes apply in the box', async () => {
  const repo = aProject()
  repo.write('.git/info/exclude', 'hidden.txt\n')
  repo.write('.git/info/attributes', '*.md diff=special\n')
  const path = join(dirname(repo.dir), 'excluding')
  repo.git('worktree', 'add', '--quiet', '-b', BRANCH, path)
  writeFileSync(join(repo.dir, '.git/worktrees/excluding/gza-exclude'), 'placed.txt\n')
  const run = await startedRun(repo, { path })
  expect(run.agent('touch hidden.txt placed.txt shown.txt && git status --porcelain')).toBe('?? shown.txt\n')
  expect(run.agent('git check-attr diff README.md')).toContain('special')
})

test('an agent sees every branch and tag, and no ledger', async () => {
  const repo = aProject()
  const head = repo.git('rev-parse', 'HEAD')
  const lines = Array.from({ length: 5000 }, (_, at) => `create refs/tags/t${at} ${head}\n`)
  repo.run(['git', 'update-ref', '--stdin'], { stdin: lines.join('') })
  repo.git('pack-refs', '--all')
  const run = await startedRun(repo)
  expect(run.agent('git tag | wc -l').trim()).toBe('5001')
  expect(run.agent('git for-each-ref refs/tasks refs/gza')).toBe('')
  expect(run.agent('git rev-parse origin/HEAD').trim()).toBe(head)
  run.agent(COMMIT)
  await expectWork(run)
})

function inClone(origin: Repo, dir: string): Repo {
  const run: Repo['run'] = (argv, options = {}) => origin.run(argv, { cwd: dir, ...options })
  const git = (...args: string[]) => {
    const { code, stdout, stderr } = run(['git', ...args])
    if (code !== 0) throw new Error(stderr)
    return stdout.trimEnd()
  }
  return { ...origin, dir, run, git }
}
