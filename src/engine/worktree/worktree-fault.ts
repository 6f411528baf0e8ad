import { readHead } from '../../platform/git/refs.ts'
import type { OpenWorktree, Unfinished } from '../../platform/git/worktrees.ts'
import { isHalfMade } from './half-made.ts'

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

export function findFault(workTree: OpenWorktree | null, branch: string): WorktreeFault | null {
  if (workTree === null) return { kind: 'missing' }
  if (isHalfMade(workTree.gitDir)) return { kind: 'half-made' }
  if (workTree.unfinished !== null) return { kind: 'unfinished', what: workTree.unfinished }
  const head = readHead(workTree)
  if (head.kind === 'detached') return { kind: 'detached', at: head.oid }
  return head.branch === branch ? null : { kind: 'other-branch', branch: head.branch }
}
