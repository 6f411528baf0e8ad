import type { Level } from '../../core/isolation/levels.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { placeAt } from '../../platform/git/own-git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'
import { keepInBox } from '../isolation/agent-box/keep-in-box.ts'
import { boxedFault } from '../isolation/private-git/worktree-state.ts'
import { commitsBeyond } from './commit-history.ts'
import { commitLeftovers, listAllLeft } from './commit-leftovers.ts'
import type { Refused } from './sift-leftovers.ts'
import { clearStaleLocks } from './stale-locks.ts'
import type { Workplace } from './workplace.ts'
import { findFault, type WorktreeFault } from './worktree-fault.ts'

export type { Refused }

export interface Kept {
  /** The branch's commit afterwards. */
  head: string
  /** All commits of the branch after the start of the work, oldest first. */
  commits: string[]
  committed: boolean
  /** What is still uncommitted there, and why. */
  refused: Refused[]
  /** Why what was committed in a box is not on the branch; null: it is. */
  unimported: string | null
  /** Not null: the worktree is not intact and on its branch. Then nothing was changed, unless it was `rewound`. */
  fault: WorktreeFault | null
}

export interface KeepingOrder {
  run: string
  /** What held the agent. In a box, what it left is committed there. */
  level: Level
  message: string
  /** `Name <mail>` of the commit. */
  identity: string
}

/** Commits what was left uncommitted in a workplace. */
export async function keepLeftovers(repo: Repo, workplace: Workplace, order: KeepingOrder): Promise<Kept> {
  const { branch, path, base } = workplace
  const workTree = openWorkTree(repo, path)
  const fault = boxedFault(repo, { worktree: path, branch, run: order.run }) ?? findFault(workTree, branch)
  const before = readRef(repo, `refs/heads/${branch}`)
  if (workTree === null || fault !== null || before === null) {
    const head = before ?? base
    const { commits } = await commitsBeyond(repo, base, head)
    return { ...NOTHING_KEPT, head, commits, fault: fault ?? { kind: 'missing' } }
  }
  clearStaleLocks(workTree, branch)
  if (order.level !== 'none') return keepBoxed(repo, { ...workplace, before }, order)
  const place = placeAt(repo, path, order.identity)
  const [made, changes] = await Promise.all([commitsBeyond(repo, base, before), listAllLeft(place)])
  const { head, refused } = await commitLeftovers(place, { before, changes, message: order.message })
  return {
    ...{ head, refused, committed: head !== before, unimported: null },
    commits: head === before ? made.commits : [...made.commits, head],
    fault: made.isRewound ? { kind: 'rewound' } : null,
  }
}

const NOTHING_KEPT = { committed: false, refused: [], unimported: null }

/** Nothing that the agent has written runs outside: git runs filters on files that it commits. */
async function keepBoxed(
  repo: Repo,
  { branch, path, base, before }: Workplace & { before: string },
  order: KeepingOrder,
) {
  const { refused, unimported } = await keepInBox(repo, { ...order, branch, worktree: path })
  const head = readRef(repo, `refs/heads/${branch}`) ?? before
  const { commits, isRewound } = await commitsBeyond(repo, base, head)
  const fault = isRewound ? ({ kind: 'rewound' } as const) : null
  return { head, commits, committed: head !== before, refused, unimported, fault }
}
