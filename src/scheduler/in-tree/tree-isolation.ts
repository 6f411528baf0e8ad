import { isBox } from '../../core/isolation/levels.ts'
import { UserError } from '../../core/user-error.ts'
import type { RunIsolation } from '../../engine/isolation/agent-box/run-level.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { openWorkTree } from '../../platform/git/worktrees.ts'

export interface TreeIsolation {
  isolation: RunIsolation
  /** Why agents have no box in this tree, although the machine can make one; null: they have. */
  why: string | null
}

/** What holds an agent in the person's own tree. The machine may have a box, but the tree may not be fit for one. */
export function isolationInTree(repo: Repo, found: RunIsolation): TreeIsolation {
  const why = found.level === 'none' ? null : isBox(found.level) ? whyNoBox(repo) : ONLY_LANDLOCK
  return { isolation: why === null ? found : { ...found, level: 'none' }, why }
}

/** What holds a git that only looks at the files there. Landlock does: it needs no other `.git`. */
export function isolationToLook(repo: Repo, found: RunIsolation): RunIsolation {
  return whyNoBox(repo) === null ? found : { ...found, level: 'none' }
}

export function refuseWithoutBox(repo: Repo, found: RunIsolation, isRequired: boolean): void {
  const { why } = isolationInTree(repo, found)
  if (why === null || !isRequired) return
  throw new UserError('NO_BOX', `isolation is required, but no box can be made for this tree: ${why}`, {
    hint: 'Check out a branch with a commit; or set isolation: auto in your own file.',
  })
}

/** It cannot show another `.git`, and the person's own must stay where it is. */
const ONLY_LANDLOCK = 'this machine has only Landlock, which cannot protect its .git'

function whyNoBox(repo: Repo): string | null {
  if (repo.workTree === null || openWorkTree(repo, repo.workTree) === null)
    return 'it has no .git that leads to the repository'
  const head = readHead(repo)
  if (head.kind === 'detached') return 'it is on no branch'
  return head.oid === null ? `${head.branch} has no commit yet` : null
}
