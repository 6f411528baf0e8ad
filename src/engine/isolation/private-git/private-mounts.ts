import { join, relative, resolve } from 'node:path'
import { fileExists, isFolder, listFolders, readTextIfThere } from '../../../platform/files/files.ts'
import { realPath } from '../../../platform/files/inspect-file.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { openWorkTree } from '../../../platform/git/worktrees.ts'
import { lfsFolder } from './local-settings.ts'
import { gitIn, linkIn, objectsInside, type PrivateGit } from './private-git.ts'

/** What a box must show of a private git folder and its worktree, after everything else of the repository is hidden. */
export interface PrivateMounts {
  readOnly: string[]
  writable: string[]
  over: { from: string; to: string; access: 'read-only' | 'writable' }[]
}

export function privateMounts(repo: Repo, { folder, about }: PrivateGit): PrivateMounts {
  const common = realPath(repo.commonDir)
  const objects = join(common, 'objects')
  const lfs = lfsFolder(repo)
  const shown = [...furtherObjects(objects), ...(isFolder(lfs) ? [lfs] : [])]
  const writable = [about.worktree, gitIn(folder)]
  if (about.inside === gitIn(folder)) {
    const link = { from: linkIn(folder), to: join(about.worktree, '.git'), access: 'read-only' } as const
    // Of submodules that are checked out there.
    const modules = join((openWorkTree(repo, about.worktree) ?? repo).gitDir, 'modules')
    const readOnly = [objects, ...(isFolder(modules) ? [modules] : []), ...shown]
    return { readOnly, writable, over: [link] }
  }
  const below = (from: string, to: string) => (isFolder(from) ? [{ from, to, access: 'read-only' as const }] : [])
  const over = [
    { from: gitIn(folder), to: about.inside, access: 'writable' as const },
    ...below(objects, objectsInside({ about })),
    ...below(lfs, join(about.inside, 'gza/lfs')),
    // One by one, so that the agent can add others beside them.
    ...modulesBelow(join(common, 'modules')).flatMap((from) => below(from, join(about.inside, relative(common, from)))),
  ]
  return { readOnly: furtherObjects(objects), writable: [about.worktree], over }
}

/** The repositories of submodules. The name of one may have several parts. */
function modulesBelow(folder: string): string[] {
  return listFolders(folder).flatMap((path) => (fileExists(join(path, 'HEAD')) ? [path] : modulesBelow(path)))
}

/** A clone may itself read the objects of others. */
function furtherObjects(objects: string, depth = 0): string[] {
  const lines = (readTextIfThere(join(objects, 'info/alternates')) ?? '').split('\n')
  const folders = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, line))
  return depth > DEEPEST ? [] : folders.flatMap((folder) => [folder, ...furtherObjects(folder, depth + 1)])
}

/** Git follows no longer chains. */
const DEEPEST = 5
