/** A run with a private git folder, in a repository of the test. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BoxCommand } from '../../../src/engine/isolation/private-git/fetch-work.ts'
import { type Imported, importWork } from '../../../src/engine/isolation/private-git/import-work.ts'
import { makePrivateGit } from '../../../src/engine/isolation/private-git/make.ts'
import { gitIn, type PrivateGit, privateFolder } from '../../../src/engine/isolation/private-git/private-git.ts'
import { privateMounts } from '../../../src/engine/isolation/private-git/private-mounts.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { aRepo, type Env, type Repo, type Result } from '../../support/repo.ts'
import { runProcess } from '../../support/run-process.ts'

export const RUN = '20261118000000-abcdef'
export const BRANCH = 'task/one'

export interface BoxedRun {
  repo: Repo
  /** The run's worktree, with the person's eyes: its git is the real one. */
  worktree: Repo
  git: PrivateGit
  /** What the agent's git works in. */
  gitDir: string
  /** Runs a shell script in the worktree as the agent would, with the private git folder; it must succeed. */
  agent(script: string): string
  /** The same, whatever comes of it. */
  tryAgent(script: string): Result
  import(box?: BoxCommand): Promise<Imported>
}

export const noBox: BoxCommand = (argv) => argv

/** Commits get the same ids wherever they are made. */
const SAME_IDS: Env = {
  GIT_AUTHOR_DATE: '2026-11-18T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-11-18T00:00:00Z',
}

export async function startedRun(repo: Repo, options: { branch?: string; path?: string } = {}): Promise<BoxedRun> {
  const branch = options.branch ?? BRANCH
  const path = options.path ?? addWorktree(repo, branch)
  const found = findRepo(repo.dir, repo.env)
  const folder = privateFolder(found, repo.env, path)
  const git = await makePrivateGit(found, { run: RUN, worktree: path, branch, folder })
  return openRun(repo, git)
}

export function openRun(repo: Repo, git: PrivateGit): BoxedRun {
  const gitDir = gitIn(git.folder)
  const path = git.about.worktree
  const env = { ...repo.env, ...SAME_IDS, GIT_DIR: gitDir, GIT_WORK_TREE: path }
  const tryAgent = (script: string) => runProcess(['sh', '-ec', script], { cwd: path, env })
  return {
    ...{ repo, git, gitDir, tryAgent },
    worktree: inFolder(repo, path),
    agent: (script) => mustSucceed(tryAgent(script)),
    import: (box = noBox) => importWork(findRepo(repo.dir, repo.env), git, box),
  }
}

/** The same work in an ordinary worktree, to compare with. */
export function withoutBox(repo: Repo, script: string): Repo {
  const worktree = inFolder(repo, addWorktree(repo, BRANCH))
  mustSucceed(worktree.run(['sh', '-ec', script], { env: SAME_IDS }))
  return worktree
}

export function addWorktree(repo: Repo, branch: string): string {
  const path = join(dirname(repo.dir), 'worktrees', branch)
  mkdirSync(dirname(path), { recursive: true })
  repo.git('worktree', 'add', '--quiet', '-b', branch, path)
  return path
}

function inFolder(repo: Repo, dir: string): Repo {
  const run: Repo['run'] = (argv, options = {}) => repo.run(argv, { cwd: dir, ...options })
  const git = (...args: string[]) => mustSucceed(run(['git', ...args])).replace(/\n$/, '')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
    return join(dir, path)
  }
  return { ...repo, dir, run, git, write }
}

function mustSucceed({ code, stdout, stderr }: Result): string {
  if (code !== 0) throw new Error(`exited with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** The bubblewrap command of a run's box, as far as git matters. */
export function bubblewrap({ repo, git }: Pick<BoxedRun, 'repo' | 'git'>, hidden: readonly string[] = []): BoxCommand {
  const { readOnly, writable, over } = privateMounts(findRepo(repo.dir, repo.env), git)
  const binds = over.flatMap(({ from, to, access }) => [access === 'writable' ? '--bind' : '--ro-bind', from, to])
  const isOwnTree = git.about.worktree === repo.dir
  const same = (flag: string) => (path: string) => [flag, path, path]
  const user = process.getuid?.() === 0 ? ['--uid', '1000', '--gid', '1000'] : []
  const box = [
    ...['bwrap', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', ...user, '--bind', '/', '/', '--dev', '/dev'],
    ...['--proc', '/proc', ...[...hidden, ...(isOwnTree ? [] : [repo.dir])].flatMap((path) => ['--tmpfs', path])],
    ...[...readOnly.flatMap(same('--ro-bind')), ...writable.flatMap(same('--bind')), ...binds],
    ...[...(isOwnTree ? [] : ['--remount-ro', repo.dir]), '--chdir', git.about.worktree],
  ]
  return (argv) => [...box, ...argv]
}

/** A repository with two commits, a second branch, a tag, a ledger and a remote-tracking branch. */
export function aProject(options: Parameters<typeof aRepo>[0] = {}): Repo {
  const repo = aRepo({ ...options, env: { ...SAME_IDS, ...options.env } })
  repo.commit('first', { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'c.txt': 'c\n' })
  repo.git('branch', 'other')
  repo.git('tag', '-a', '-m', 'one', 'v1')
  const second = repo.commit('second', { 'a.txt': 'a\na\n' })
  repo.git('update-ref', 'refs/tasks/main', second)
  repo.git('update-ref', 'refs/remotes/origin/main', second)
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  return repo
}

/** A copy of a repository as it is, at another place. */
export function copyOf(repo: Repo): Repo {
  const dir = `${repo.dir}-copy`
  cpSync(repo.dir, join(dir, 'repo'), { recursive: true })
  return inFolder(repo, join(dir, 'repo'))
}
