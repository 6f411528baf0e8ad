import { dirname, join, resolve, sep } from 'node:path'
import { listFolders, readTextsIn, removeFile, removeFolder } from '../../platform/files/files.ts'
import { realPath, removeEmptyFolder, stampsOf } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { isHalfMade } from './half-made.ts'

interface Unreadable {
  /** Git's own folder for the worktree. */
  folder: string
  path: string
}

/**
 * A git that was killed at the very start of `worktree add` leaves an entry that git cannot read: then it neither fetches
 * nor adds another worktree, here or anywhere in the repository. Removes such entries of gza's own folder for worktrees,
 * unless `isHeld` says that somebody works there. No file was checked out by then, so nothing is lost.
 */
export async function removeUnreadable(
  { commonDir }: Repo,
  { root, isHeld }: { root: string; isHeld: (path: string) => boolean },
): Promise<void> {
  const found = unreadableIn(commonDir, root).filter(({ path }) => !isHeld(path))
  if (found.length === 0) return
  const before = stampsOf(found.map(({ folder }) => folder))
  // Its own git may have outlived gza for a moment.
  await Bun.sleep(PATIENCE_MS)
  const again = new Set(unreadableIn(commonDir, root).map(({ folder }) => folder))
  const after = stampsOf(found.map(({ folder }) => folder))
  for (const { folder, path } of found) {
    if (again.has(folder) && before.get(folder) === after.get(folder)) remove(folder, path)
  }
}

const PATIENCE_MS = 1500

function unreadableIn(commonDir: string, root: string): Unreadable[] {
  return listFolders(join(commonDir, 'worktrees')).flatMap((folder) => {
    if (!isHalfMade(folder)) return []
    const [link, common, head] = readTextsIn(folder, ['gitdir', 'commondir', 'HEAD'])
    const path = link?.trim() ? dirname(resolve(folder, link.trimEnd())) : null
    const isReadable = (common ?? '').trim() !== '' && !/^0*$/.test((head ?? '').trim())
    return path === null || isReadable || !`${realPath(path)}${sep}`.startsWith(`${root}${sep}`)
      ? []
      : [{ folder, path }]
  })
}

function remove(folder: string, path: string): void {
  const [link = null] = readTextsIn(path, ['.git'])
  // Empty: git was killed while it wrote that file too.
  const isOwn = link !== null && (link === '' || resolve(path, link.replace(/^gitdir: /, '').trimEnd()) === folder)
  if (isOwn) removeFile(join(path, '.git'))
  removeEmptyFolder(path)
  removeFolder(folder)
}
