import { expect, test } from 'bun:test'
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept } from '../../../src/engine/worktree/keep-leftovers.ts'
import { removeWorkplace } from '../../../src/engine/worktree/remove.ts'
import type { Workplace } from '../../../src/engine/worktree/workplace.ts'
import { aRepo } from '../../support/repo.ts'
import { aProject, commitIn, gitIn, IDENTITY, type Project, put, textOf } from './project-repo.ts'

const KEY = `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----\n`

test('what the agent left is committed: changed, new, deleted, renamed, staged or not, linked, executable', async () => {
  const project = aProject({}, { 'a.txt': 'one\n', 'gone.txt': 'x\n', 'old name.txt': 'named\n', 'dir/x': 'x\n' })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'a.txt', 'changed\n')
  put(workplace, 'new/deep file.txt', 'new\n')
  put(workplace, 'staged.txt', 'staged\n')
  gitIn(project, workplace, 'add', 'staged.txt')
  put(workplace, 'staged.txt', 'staged, then changed\n')
  gitIn(project, workplace, 'mv', 'old name.txt', 'naïve “name”.txt')
  rmSync(join(workplace.path, 'gone.txt'))
  rmSync(join(workplace.path, 'dir'), { recursive: true })
  put(workplace, 'dir', 'a file now\n')
  symlinkSync('a.txt', join(workplace.path, 'link'))
  put(workplace, 'run.sh', '#!/bin/sh\n')
  chmodSync(join(workplace.path, 'run.sh'), 0o755)
  put(workplace, 'git add -N.txt', 'intended\n')
  gitIn(project, workplace, 'add', '--intent-to-add', 'git add -N.txt')

  const kept = await project.keep(workplace, 'Fix the bug')
  const head = headOf(project, workplace)
  expect(kept).toEqual({ head, commits: [head], committed: true, refused: [], unimported: null, fault: null })
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
  expect(gitIn(project, workplace, 'log', '--format=%s|%an <%ae>|%P')).toStartWith(
    `Fix the bug|${IDENTITY}|${project.first}`,
  )
  expect(
    gitIn(project, workplace, '-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'HEAD').split('\n'),
  ).toEqual(['a.txt', 'dir', 'git add -N.txt', 'link', 'naïve “name”.txt', 'new/deep file.txt', 'run.sh', 'staged.txt'])
  expect(gitIn(project, workplace, 'show', 'HEAD:staged.txt')).toBe('staged, then changed')
  expect(gitIn(project, workplace, 'ls-tree', 'HEAD', 'run.sh')).toStartWith('100755')
  expect(gitIn(project, workplace, 'reflog', '-1', '--format=%gs')).toBe('commit: Fix the bug')
})

test('a clean worktree is left alone', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const commit = commitIn(project, workplace, { 'b.txt': 'two\n' })
  expect(await project.keep(workplace)).toEqual({
    head: commit,
    commits: [commit],
    committed: false,
    refused: [],
    unimported: null,
    fault: null,
  })
})

test('only that worktree is touched: neither the person’s index nor their uncommitted files', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  project.person.write('a.txt', 'the person’s own\n')
  project.person.write('mine.txt', 'mine\n')
  project.person.git('add', 'mine.txt')
  put(workplace, 'b.txt', 'two\n')
  await project.keep(workplace)
  expect(project.person.git('status', '--porcelain')).toBe(' M a.txt\nA  mine.txt')
  expect(project.person.git('rev-parse', 'main')).toBe(project.first)
})

test('ignored files stay out, and so does what is in .gza', async () => {
  const project = aProject({}, { '.gitignore': 'build/\n' })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'build/out.js', 'x')
  put(workplace, '.gza/plans/20241213-fix.md', 'the plan')
  expect(await project.keep(workplace)).toMatchObject({ committed: false, refused: [] })
  expect(textOf(workplace, '.gza/plans/20241213-fix.md')).toBe('the plan')
})

test('likely secrets and files over 5 MB are named and not committed, also where the agent had staged them', async () => {
  const project = aProject({}, { 'a.txt': 'one\n', 'grown.txt': 'small\n', 'leak.txt': 'nothing\n' })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, '.env', 'TOKEN=1\n')
  put(workplace, 'certs/key.txt', KEY)
  put(workplace, 'leak.txt', `nothing\n${KEY}`)
  put(workplace, 'big.bin', new Uint8Array(5 * 1024 * 1024 + 1))
  put(workplace, 'just.bin', new Uint8Array(5 * 1024 * 1024))
  put(workplace, 'grown.txt', 'x'.repeat(6_000_000))
  gitIn(project, workplace, 'add', '.env', 'leak.txt', 'big.bin', 'grown.txt')
  put(workplace, 'fine.txt', 'fine\n')
  const kept = await project.keep(workplace)
  const head = headOf(project, workplace)
  expect(sorted(kept)).toEqual({
    head,
    commits: [head],
    committed: true,
    refused: [
      { path: '.env', why: 'likely a secret: environment file' },
      { path: 'big.bin', why: '5.0 MB, over 5 MB' },
      { path: 'certs/key.txt', why: 'likely a secret: private key' },
      { path: 'grown.txt', why: '5.7 MB, over 5 MB' },
      { path: 'leak.txt', why: 'likely a secret: private key' },
    ],
    unimported: null,
    fault: null,
  })
  expect(gitIn(project, workplace, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual([
    'a.txt',
    'fine.txt',
    'grown.txt',
    'just.bin',
    'leak.txt',
  ])
  expect(gitIn(project, workplace, 'show', 'HEAD:leak.txt')).toBe('nothing')
  expect(textOf(workplace, '.env')).toBe('TOKEN=1\n')
  expect(await removeWorkplace(project.repo, workplace)).toBe('kept')
})

test('a secret alone is not committed, and never reaches the object store', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'id_rsa', KEY)
  const kept = await project.keep(workplace)
  expect(kept).toMatchObject({ head: project.first, committed: false, refused: [{ path: 'id_rsa' }] })
  const id = gitIn(project, workplace, 'hash-object', 'id_rsa')
  expect(project.person.run(['git', 'cat-file', '-e', id]).code).toBe(1)
})

test('a file that already held a key may be edited', async () => {
  const project = aProject({}, { 'test/key.txt': KEY })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'test/key.txt', `For tests only.\n${KEY}`)
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
})

test('the person’s hooks, signing key and template cannot make it fail, and do not run', async () => {
  const project = aProject()
  const { person } = project
  for (const hook of [
    'pre-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'reference-transaction',
    'post-index-change',
  ]) {
    writeFileSync(join(person.dir, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${person.dir}/../ran\nexit 1\n`)
    chmodSync(join(person.dir, '.git/hooks', hook), 0o755)
  }
  for (const setting of [
    'commit.gpgSign=true',
    'gpg.program=/bin/false',
    'core.safecrlf=true',
    'core.autocrlf=input',
  ]) {
    person.git('config', ...setting.split('='))
  }
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'b.txt', 'two\r\nlines\n')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(textOf({ path: join(person.dir, '..') }, 'ran')).toBeNull()
})

test('changes that git was told not to look at are found, too', async () => {
  const project = aProject({}, { 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const workplace = await project.workplace('20241213-fix')
  gitIn(project, workplace, 'update-index', '--assume-unchanged', 'a.txt')
  gitIn(project, workplace, 'update-index', '--skip-worktree', 'b.txt')
  put(workplace, 'a.txt', 'hidden\n')
  put(workplace, 'b.txt', 'hidden\n')
  expect(gitIn(project, workplace, 'status', '--porcelain')).toBe('')
  expect(await removeWorkplace(project.repo, workplace)).toBe('kept')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(gitIn(project, workplace, 'show', 'HEAD:a.txt', 'HEAD:b.txt')).toBe('hidden\nhidden')
})

test('settings that hide files from status hide none from it', async () => {
  const project = aProject()
  project.person.git('config', 'status.showUntrackedFiles', 'no')
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'b.txt', 'two\n')
  expect(await removeWorkplace(project.repo, workplace)).toBe('kept')
  expect((await project.keep(workplace)).committed).toBe(true)
})

test('a repository inside the worktree is named, not linked to', async () => {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  gitIn(project, workplace, 'clone', '--quiet', project.person.dir, 'vendor/copy')
  put(workplace, 'b.txt', 'two\n')
  expect(await project.keep(workplace)).toMatchObject({
    committed: true,
    refused: [{ path: 'vendor/copy/', why: 'a repository of its own' }],
  })
  expect(gitIn(project, workplace, 'ls-tree', '-r', '--name-only', 'HEAD')).toBe('a.txt\nb.txt')
})

test('one file that git cannot take does not keep the others from being committed', async () => {
  const project = aProject({}, { '.gitattributes': '*.lfs filter=lfs\n' })
  project.person.git('config', 'filter.lfs.clean', 'no-such-program')
  project.person.git('config', 'filter.lfs.required', 'true')
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'a.lfs', 'large\n')
  put(workplace, 'b.txt', 'two\n')
  const kept = await project.keep(workplace)
  expect(kept).toMatchObject({ committed: true, refused: [{ path: 'a.lfs' }] })
  expect(kept.refused[0]?.why).toContain('no-such-program')
  expect(gitIn(project, workplace, 'show', 'HEAD:b.txt')).toBe('two')
})

test('LFS pointers pass as the small files they are', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345678\n`
  const project = aProject({}, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': pointer })
  const workplace = await project.workplace('20241213-fix')
  put(workplace, 'b.bin', pointer)
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(textOf(workplace, 'a.bin')).toBe(pointer)
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')
})

test('an agent that left the branch, or left something half-done, is reported, and nothing is touched', async () => {
  const cases: [(project: Project, workplace: Workplace) => void, Kept['fault'] | 'detached'][] = [
    [
      (project, at) => gitIn(project, at, 'checkout', '--quiet', '-b', 'elsewhere'),
      { kind: 'other-branch', branch: 'elsewhere' },
    ],
    [(project, at) => gitIn(project, at, 'checkout', '--quiet', '--detach'), 'detached'],
    [(project, at) => conflicting(project, at, 'merge'), { kind: 'unfinished', what: 'merge' }],
    [(project, at) => conflicting(project, at, 'rebase'), { kind: 'unfinished', what: 'rebase' }],
    [(project, at) => conflicting(project, at, 'cherry-pick'), { kind: 'unfinished', what: 'cherry-pick' }],
    [(_, at) => rmSync(at.path, { recursive: true }), { kind: 'missing' }],
    [(project, at) => replaceRepo(project, at), { kind: 'missing' }],
  ]
  for (const [leave, fault] of cases) {
    const project = aProject()
    const workplace = await project.workplace('20241213-fix')
    const commit = commitIn(project, workplace, { 'a.txt': 'committed\n' })
    leave(project, workplace)
    if (fault !== null && fault !== 'detached' && fault.kind !== 'missing') put(workplace, 'left.txt', 'left\n')
    const expected = fault === 'detached' ? { kind: 'detached' as const, at: commit } : fault
    expect(await project.keep(workplace)).toEqual({
      head: commit,
      commits: [commit],
      committed: false,
      refused: [],
      unimported: null,
      fault: expected,
    })
    expect(project.person.git('rev-parse', '20241213-fix')).toBe(commit)
  }
})

test('a branch that lost the commit it started from is reported, with the leftovers kept', async () => {
  const project = aProject()
  const predecessor = commitIn(project, await project.workplace('20241213-one'), { 'one.txt': 'one' })
  const workplace = await project.workplace('20241214-two', { merge: [predecessor] })
  gitIn(project, workplace, 'reset', '--quiet', '--hard', project.first)
  put(workplace, 'two.txt', 'two')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, fault: { kind: 'rewound' } })
})

test('submodules: an empty one does not matter, a new commit in one is recorded, the worktree of a filled one stays', async () => {
  const library = aRepo()
  library.commit('library', { 'lib.txt': 'one\n' })
  const project = aProject({ env: { GIT_ALLOW_PROTOCOL: 'file' } })
  project.person.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.dir, 'lib')
  const from = project.person.commit('with a submodule')
  const workplace = await project.workplace('20241213-fix', { from })
  put(workplace, 'b.txt', 'two\n')
  expect(await project.keep(workplace)).toMatchObject({ committed: true, refused: [] })
  expect(await removeWorkplace(project.repo, workplace)).toBe('removed')

  const again = await project.workplace('20241213-fix', { from })
  gitIn(project, again, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  const inside = commitIn(project, { path: join(again.path, 'lib') }, { 'lib.txt': 'two\n' })
  expect(await project.keep(again)).toMatchObject({ committed: true, refused: [] })
  expect(gitIn(project, again, 'ls-tree', 'HEAD', 'lib')).toContain(inside)
  // Git would have to look into it to see this, and would run what is configured there.
  put(again, 'lib/lib.txt', 'three\n')
  expect(await project.keep(again)).toMatchObject({ committed: false, refused: [] })
  expect(await removeWorkplace(project.repo, again)).toBe('kept')
})

function conflicting(project: Project, at: Workplace, command: string): void {
  gitIn(project, at, 'branch', `other-${command}`, project.first)
  const [tree] = [gitIn(project, at, 'rev-parse', 'HEAD^{tree}')]
  const blob = project.person.run(['git', 'hash-object', '-w', '--stdin'], { stdin: 'otherwise\n' }).stdout.trim()
  const other = project.person.run(['git', 'mktree'], { stdin: `100644 blob ${blob}\ta.txt\n` }).stdout.trim()
  expect(other).not.toBe(tree)
  const commit = gitIn(project, at, 'commit-tree', '-p', project.first, '-m', 'other', other)
  expect(project.person.run(['git', '-C', at.path, command, commit]).code).toBe(1)
}

/** What an agent does that takes the worktree for a broken repository. */
function replaceRepo({ person }: Project, { path }: Workplace): void {
  rmSync(join(path, '.git'))
  person.git('-C', path, 'init', '--quiet')
}

function headOf(project: Project, workplace: Workplace): string {
  return gitIn(project, workplace, 'rev-parse', 'HEAD')
}

function sorted(kept: Kept): Kept {
  return { ...kept, refused: kept.refused.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}
