import { join } from 'node:path'
import { removeFile } from '../../platform/files/files.ts'
import { stampsOf } from '../../platform/files/inspect-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { lockAt, lockWords } from '../../platform/git/ref-lock.ts'
import { mayGitLiveFor } from '../../platform/processes/process-table.ts'

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

/**
 * With the lock of packed refs, git deletes no ref any more: no landing ends, and nothing of a box is forgotten. It may be
 * anybody's, so it is removed only if it is old and no git lives that was there when it was made. Returns what was done.
 */
export function removeLeftLock({ commonDir }: Repo): string | null {
  const path = join(commonDir, 'packed-refs.lock')
  const lock = lockAt(path)
  if (lock === null || lock.seconds < LEFT_SECONDS || mayGitLiveFor(lock.seconds)) return null
  // Another gza may have removed it meanwhile, and a living git may have made its own.
  if ((lockAt(path)?.seconds ?? 0) < LEFT_SECONDS) return null
  removeFile(path)
  return `${lockWords(lock).fact}, and no git is alive that could have made it: gza has removed it`
}

/** Git holds it for milliseconds, and for seconds while it packs hundreds of thousands of refs. */
const LEFT_SECONDS = 600
