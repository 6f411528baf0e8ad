import { join } from 'node:path'
import { removeFile } from '../../platform/files/files.ts'
import { stampsOf } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'

/**
 * A killed git process leaves its lock, and every later git process fails because of it. These locks belong only to one
 * worktree and its branch, and no process of its run is alive. Anyone else who works there holds a lock for
 * milliseconds.
 */
export function clearStaleLocks({ gitDir, commonDir }: Repo, branch: string): void {
  const locks = [
    join(gitDir, 'index.lock'),
    join(gitDir, 'HEAD.lock'),
    join(commonDir, 'refs', 'heads', `${branch}.lock`),
  ]
  const found = stampsOf(locks)
  if (found.size === 0) return
  Bun.sleepSync(PATIENCE_MS)
  for (const [path, stamp] of stampsOf([...found.keys()])) if (found.get(path) === stamp) removeFile(path)
}

const PATIENCE_MS = 1500
