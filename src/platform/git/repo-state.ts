import { join, relative } from 'node:path'
import { listFiles } from '../files/files.ts'
import { inspectFile, readFiles } from '../files/inspect-file.ts'
import type { Repo } from './find-repo.ts'
import { runOwnGitAsync } from './own-git.ts'
import { readRefsIn } from './ref-files.ts'
import { readHead } from './refs.ts'

/** What a repository and the checkout of a person contain, apart from commits. */
export interface RepoState {
  refs: Map<string, string>
  /** The branch or commit that the person's checkout is on. */
  head: string
  /** Uncommitted files of that checkout, each with a stamp that changes with the file. */
  files: Map<string, string>
  /** Files of the repository that can make git run something for other people. */
  settings: Map<string, string>
}

export async function readRepoState(repo: Repo): Promise<RepoState> {
  // Both in one promise: if the second failed first, a rejection of the first would be unhandled and end gza.
  const [files, rest] = await Promise.all([listDirtyFiles(repo), lookBeside(repo)])
  return { ...rest, files }
}

async function lookBeside(repo: Repo): Promise<Omit<RepoState, 'files'>> {
  return { refs: listBranchesAndTags(repo), head: headOf(repo), settings: listSettings(repo) }
}

function listBranchesAndTags(repo: Repo): Map<string, string> {
  return readRefsIn(repo, ['refs/heads/', 'refs/tags/', 'refs/stash'])
}

function headOf(repo: Repo): string {
  const head = readHead(repo)
  return head.kind === 'branch' ? `refs/heads/${head.branch}` : head.oid
}

async function listDirtyFiles(repo: Repo): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  if (repo.workTree === null) return files
  const flags = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty']
  // Without optional locks: a commit that the person makes at this moment must not fail because of our lock.
  const text = (await runOwnGitAsync(repo, ['--no-optional-locks', 'status', ...flags])).toString()
  for (const field of text.split('\0').filter(Boolean)) {
    const path = field.slice(3)
    files.set(path, `${field.slice(0, 2)} ${inspectFile(join(repo.workTree, path))?.stamp ?? ''}`)
  }
  return files
}

function listSettings({ commonDir }: Repo): Map<string, string> {
  const single = ['config', 'config.worktree', 'info/attributes', 'info/exclude'].map((name) => join(commonDir, name))
  const paths = [...single, ...listFiles(join(commonDir, 'hooks'))]
  const found = [...readFiles(paths)]
  // Compares the text: git rewrites the config when a branch is deleted, often without a change.
  return new Map(found.map(([path, { mode, text }]) => [relative(commonDir, path), `${mode} ${text}`]))
}
