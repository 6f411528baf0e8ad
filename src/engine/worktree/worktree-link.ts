/**
 * The `.git` of a worktree, a file that leads to git's own folder for it. Where nothing can be mounted over it (Landlock),
 * it leads to the agent's private git folder while the agent works, and the agent can replace it by anything. gza never
 * needs it: its own git is told where the folder is (`placeAt`).
 */
import { dirname, join } from 'node:path'
import { moveFolder } from '../../platform/files/files.ts'
import { inspectFile } from '../../platform/files/inspect-file.ts'
import { putFile } from '../../platform/files/untrusted/put-file.ts'
import { readBelow } from '../../platform/files/untrusted/read-below.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { adminFolder } from '../../platform/git/worktree-folder.ts'
import { LONGEST_LINK, leadsToPrivate, linkOf } from '../../platform/git/worktrees.ts'

export function leadTo(path: string, gitDir: string): void {
  putFile(join(path, '.git'), `gitdir: ${gitDir}\n`, nextTo(path))
}

/** After a crash: if it is missing, empty because git was killed while it wrote it, or leads to a private git folder. */
export function restoreLink(repo: Repo, path: string): void {
  const folder = adminFolder(repo, path)
  const found = readBelow(path, ['.git'], LONGEST_LINK)
  const isLost = found.kind === 'none' || (found.kind === 'file' && found.text === '') || leadsToPrivate(repo, path)
  if (folder !== null && isLost) leadTo(path, folder)
}

/**
 * After an agent that could replace it, whatever it is now. A folder may be a repository with commits of the agent: it is
 * moved beside the worktree. Returns where it is now.
 */
export function takeBackLink(repo: Repo, path: string): string | null {
  const folder = adminFolder(repo, path)
  if (folder === null || inspectFile(path) === null || linkOf(path) === folder) return null
  const isFolder = inspectFile(join(path, '.git'))?.kind === 'folder'
  const aside = isFolder ? freeName(`${path}.replaced-git`) : null
  if (aside !== null) moveFolder(join(path, '.git'), aside)
  leadTo(path, folder)
  return aside
}

/** The agent cannot write there, and it is on the same disk. */
function nextTo(path: string): string {
  return join(dirname(path), `.${crypto.randomUUID()}`)
}

/** A name that nothing has yet. */
export function freeName(path: string, number = 2): string {
  return inspectFile(path) === null ? path : freeName(`${path.replace(/\+\d+$/, '')}+${number}`, number + 1)
}
