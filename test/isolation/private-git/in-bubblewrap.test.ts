import { expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import type { Repo, Result } from '../../support/repo.ts'
import { runProcess } from '../../support/run-process.ts'
import { aProject, type BoxedRun, BRANCH, bubblewrap, startedRun } from './boxed-run.ts'

/** `npm test` reports what a machine cannot run. */
const inBubblewrap = isHere(TOOLS.bubblewrap) ? test : () => {}

function tryInBox(run: BoxedRun, script: string): Result {
  const argv = bubblewrap(run)(['sh', '-ec', script])
  return runProcess([...argv], { cwd: run.worktree.dir, env: run.repo.env })
}

function inBox(run: BoxedRun, script: string): string {
  const { code, stdout, stderr } = tryInBox(run, script)
  if (code !== 0) throw new Error(`exited with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** Every file below a folder with its content, mode and target. */
function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { mode } = lstatSync(path)
      if (entry.isSymbolicLink()) return [path, readlinkSync(path)]
      return [path, entry.isFile() ? `${mode} ${readFileSync(path, 'base64')}` : String(mode)]
    }),
  )
}

function withHook(repo: Repo): Repo {
  mkdirSync(join(repo.dir, '.git/hooks'), { recursive: true })
  writeFileSync(join(repo.dir, '.git/hooks/commit-msg'), '#!/bin/sh\necho checked >> "$1"\n')
  chmodSync(join(repo.dir, '.git/hooks/commit-msg'), 0o755)
  return repo
}

const WORK = `
  echo more >> a.txt && git commit -qam 'change a'
  git log -1 --format=%B | grep -q checked
  echo s >> sub/b.txt && git stash -q && git stash pop -q && git commit -qam 'change b'
  git checkout -q -b side other && echo side > side.txt && git add . && git commit -qm side
  git checkout -q ${BRANCH} && git rebase -q side && git branch -qD side
  git gc -q --prune=now && git fsck --strict --no-dangling
  git bisect start >/dev/null && git bisect bad >/dev/null && git bisect good HEAD~3 >/dev/null && git bisect reset >/dev/null 2>&1
  test -z "$(git status --porcelain)" && git rev-parse HEAD
`

const ATTACKS = [
  'git update-ref refs/tasks/main HEAD~1',
  'git update-ref refs/heads/main HEAD~1',
  'git branch -f other HEAD',
  'git config core.fsmonitor /bin/false',
  'git -C "$REPO" update-ref refs/tasks/main HEAD',
  'git -C "$REPO" config core.fsmonitor /bin/false',
  'echo x > "$REPO/.git/config"',
  'mkdir -p "$REPO/.git/hooks" && echo x > "$REPO/.git/hooks/post-checkout"',
  'echo x > "$REPO/.git/HEAD"',
  'mkdir -p "$REPO/.git/refs/heads" && echo x > "$REPO/.git/refs/heads/main"',
  'rm -rf "$REPO/.git/objects"/*',
  'chmod -R a+rwx "$REPO/.git/objects"',
  'find "$REPO/.git/objects" -type f -exec sh -c \'echo x > "$1"\' _ {} ";"',
  'umount "$REPO"',
  'mount --bind / "$REPO"',
  'rm -f .git && git init -q .',
  'mv .git elsewhere',
  'git worktree prune',
  'git gc -q --prune=now --aggressive',
  'git push -q "$REPO" HEAD:refs/heads/main',
]

inBubblewrap('all work of git is possible in the box, and only the branch comes back', async () => {
  const repo = withHook(aProject())
  const run = await startedRun(repo)
  const refs = () => repo.git('for-each-ref', '--format=%(refname) %(objectname)')
  const before = refs()
  const made = inBox(run, WORK).trim()
  expect(refs()).toBe(before)
  const imported = await run.import(bubblewrap(run))
  expect(imported).toEqual({ head: made, fault: null, tampering: [], kept: [], refused: [] })
  expect(refs()).toBe(before.replace(`refs/heads/${BRANCH} ${run.git.about.tip}`, `refs/heads/${BRANCH} ${made}`))
  expect(run.worktree.git('status', '--porcelain')).toBe('')
  expect(repo.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress']).code).toBe(0)
})

inBubblewrap('nothing of the real repository can be changed from the box', async () => {
  const repo = withHook(aProject())
  const run = await startedRun(repo)
  const before = snapshot(repo.dir)
  const link = readFileSync(join(run.worktree.dir, '.git'), 'utf8')
  for (const attack of ATTACKS) tryInBox(run, `REPO='${repo.dir}'\n${attack}`)
  expect(snapshot(repo.dir)).toEqual(before)
  expect(readFileSync(join(run.worktree.dir, '.git'), 'utf8')).toBe(link)
  inBox(run, "echo more >> a.txt && git commit -qam 'still at work'")
  const imported = await run.import(bubblewrap(run))
  expect(imported).toMatchObject({ fault: null, tampering: [], refused: [] })
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tasks').split('\n')).toEqual([
    ...['refs/heads/main', 'refs/heads/other', `refs/heads/${BRANCH}`, 'refs/tasks/main'],
  ])
  const now = snapshot(repo.dir)
  const changed = Object.keys(before).filter((path) => before[path] !== now[path])
  expect(changed.map((path) => path.slice(repo.dir.length)).sort()).toEqual([
    ...[`/.git/logs/refs/heads/${BRANCH}`, `/.git/refs/heads/${BRANCH}`, '/.git/worktrees/one/ORIG_HEAD'],
    ...['/.git/worktrees/one/index', '/.git/worktrees/one/logs/HEAD'],
  ])
})

inBubblewrap('in the person’s own tree the private folder takes the place of .git', async () => {
  const repo = withHook(aProject())
  repo.git('checkout', '-q', '-b', BRANCH)
  const run = await startedRun(repo, { path: repo.dir })
  expect(run.git.about.inside).toBe(join(repo.dir, '.git'))
  const before = snapshot(join(repo.dir, '.git'))
  inBox(run, "echo more >> a.txt && git commit -qam 'change a'")
  for (const attack of ['git update-ref refs/tasks/main HEAD', 'rm -rf .git', 'mv .git x', 'rm -rf .git/gza/objects/*'])
    tryInBox(run, attack)
  expect(snapshot(join(repo.dir, '.git'))).toEqual(before)
  const imported = await run.import(bubblewrap(run))
  expect(imported).toMatchObject({ head: run.git.about.tip, fault: { kind: 'missing' } })
  expect(snapshot(join(repo.dir, '.git'))).toEqual(before)
})

inBubblewrap('work in the person’s own tree arrives there with the import', async () => {
  const repo = withHook(aProject())
  repo.git('checkout', '-q', '-b', BRANCH)
  const run = await startedRun(repo, { path: repo.dir })
  const made = inBox(run, WORK).trim()
  expect(repo.git('rev-parse', 'HEAD')).toBe(run.git.about.tip)
  const imported = await run.import(bubblewrap(run))
  expect(imported).toEqual({ head: made, fault: null, tampering: [], kept: [], refused: [] })
  expect(repo.git('rev-parse', 'HEAD')).toBe(made)
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.run(['git', 'fsck', '--strict', '--no-dangling', '--no-progress']).code).toBe(0)
})

if (isHere(TOOLS.lfs))
  inBubblewrap('LFS objects of the real repository can be read in the box, and new ones arrive', async () => {
    const repo = aProject()
    repo.git('lfs', 'install', '--local')
    repo.git('lfs', 'track', '*.bin')
    repo.commit('lfs', { 'old.bin': 'old\n' })
    for (const isOwnTree of [false, true]) {
      if (isOwnTree) repo.git('checkout', '-q', '-b', 'own')
      const run = isOwnTree ? await startedRun(repo, { path: repo.dir, branch: 'own' }) : await startedRun(repo)
      const text = `new ${isOwnTree}`
      inBox(run, 'rm old.bin && git checkout -q -- old.bin && test "$(cat old.bin)" = old')
      inBox(run, `printf '${text}' > new.bin && git add . && git commit -qm 'new object'`)
      expect(await run.import(bubblewrap(run))).toMatchObject({ fault: null, refused: [] })
      const oid = new Bun.CryptoHasher('sha256').update(text).digest('hex')
      const object = join(repo.dir, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
      expect(readFileSync(object, 'utf8')).toBe(text)
    }
    expect(repo.run(['git', 'lfs', 'fsck']).code).toBe(0)
  })
