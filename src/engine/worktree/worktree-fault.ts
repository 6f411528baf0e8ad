import { join } from 'node:path'
import { fileExists, firstIn } from '../../platform/files/files.ts'
import { realPath } from '../../platform/files/inspect-file.ts'
import { findRepo, type Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { isHalfMade } from './half-made.ts'
import { placeAt } from './place.ts'

/** Why a worktree is not on its branch with everything finished. */
export type WorktreeFault =
  /** The folder does not exist, or is no longer a worktree of this repository. */
  | { kind: 'missing' }
  /** A crash happened while it was created or removed. */
  | { kind: 'half-made' }
  | { kind: 'unfinished'; what: Unfinished }
  | { kind: 'detached'; at: string }
  | { kind: 'other-branch'; branch: string }
  /** On its branch, but without the commit that the work started from. */
  | { kind: 'rewound' }

type Unfinished = 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect'

/** The end of a sentence about the worktree. */
export function faultWords(fault: WorktreeFault): string {
  switch (fault.kind) {
    case 'missing':
      return 'does not exist or is no longer a worktree of this repository'
    case 'half-made':
      return 'is only half created'
    case 'unfinished':
      return `is in the middle of a ${fault.what}`
    case 'detached':
      return `is not on a branch, but at ${fault.at.slice(0, 12)}`
    case 'other-branch':
      return `is on the branch ${fault.branch}`
    case 'rewound':
      return 'is on a branch that has lost the commit it started from'
    default:
      return fault satisfies never
  }
}

/** The repository as seen from that worktree; null if there is no such worktree. */
export function openWorkTree(repo: Repo, path: string): Repo | null {
  if (!fileExists(join(path, '.git'))) return null
  try {
    const found = findRepo(path, placeAt(repo, path).env)
    return realPath(found.commonDir) === realPath(repo.commonDir) && found.workTree !== null ? found : null
  } catch {
    return null
  }
}

export function findFault(workTree: Repo | null, branch: string): WorktreeFault | null {
  if (workTree === null) return { kind: 'missing' }
  if (isHalfMade(workTree.gitDir)) return { kind: 'half-made' }
  const what = findUnfinished(workTree)
  if (what) return { kind: 'unfinished', what }
  const head = readHead(workTree)
  if (head.kind === 'detached') return { kind: 'detached', at: head.oid }
  return head.branch === branch ? null : { kind: 'other-branch', branch: head.branch }
}

export function findUnfinished({ gitDir }: Repo): Unfinished | null {
  const trace = firstIn(gitDir, [...TRACES.keys()])
  return trace === null ? null : (TRACES.get(trace) ?? null)
}

/**
 * Files that git keeps in its folder of a worktree during an operation. A rebase uses cherry-picks, so it comes first.
 */
const TRACES: ReadonlyMap<string, Unfinished> = new Map([
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
])
