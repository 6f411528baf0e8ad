/**
 * Brings an agent's commits to the branch that a person has checked out. The files are there already: both work in the same
 * tree. What the person has committed meanwhile stays, and so does what the person has staged.
 */
import { isAncestor } from '../../../ledger/links.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { identityOf } from '../../../platform/git/git-identity.ts'
import { placeAt, runOwnGit, tryOwnGit } from '../../../platform/git/own-git.ts'
import { checkoutFrom } from '../../../platform/git/settings/checkout-place.ts'
import { withoutFilters } from '../../../platform/git/settings/without-filters.ts'
import { listUncommittedNow } from '../../../platform/git/uncommitted.ts'
import { checkoutsOf, openWorkTree } from '../../../platform/git/worktrees.ts'
import { passStep } from '../../../platform/processes/crash-point.ts'
import { faultWords, findFault } from '../../worktree/worktree-fault.ts'
import type { About, PersonsTree } from './private-git.ts'

type OwnTree = About & { persons: PersonsTree }

/** What the branch becomes, or why it stays. */
export type Target = { to: string } | { why: string; isRewound?: true }

/** `before`: the person's branch now. `head`: the agent's. */
interface Both {
  before: string
  head: string
}

/**
 * The commit that the branch may be moved to, or why not. The index is moved first: if gza is killed before the branch is
 * moved too, the agent's work shows as staged. The other way round a person's next commit would undo it.
 */
export function bringToPerson(
  repo: Repo,
  about: OwnTree,
  { before, head }: { before: string | null; head: string },
): Target {
  if (before === null) return { why: `the branch ${about.branch} does not exist any more` }
  const target = chooseTarget(repo, about, { before, head })
  if ('why' in target) return target
  const why = whyNotFollowed(repo, about, { from: before === target.to ? about.tip : before, to: target.to })
  passStep(repo.env, 'import-reset')
  return why === null ? target : { why }
}

function chooseTarget(repo: Repo, { branch, tip, persons }: OwnTree, { before, head }: Both): Target {
  if (!isAncestor(repo, persons.from, head))
    return { why: `earlier commits are gone: ${persons.from.slice(0, 10)}`, isRewound: true }
  // Nobody else has moved it, so the agent may have changed commits of its own.
  if (before === tip && tip === persons.own) return { to: head }
  if (isAncestor(repo, head, before)) return { to: before }
  if (isAncestor(repo, before, head)) return { to: head }
  if (!isAncestor(repo, tip, before)) return { why: `${branch} was rewritten meanwhile, and not by its agent` }
  const joined = joinCommits(repo, { before, head }, `Merge ${before.slice(0, 10)} into ${branch}`)
  if (joined !== null) return { to: joined }
  return { why: `${branch} was moved meanwhile by somebody else, and both have changed the same lines` }
}

/** A merge of both: as if the agent had merged the person's commits. Null: they conflict, or git is older than 2.38 and cannot merge without a working tree. */
function joinCommits(repo: Repo, { before, head }: Both, message: string): string | null {
  const merged = tryOwnGit(checkoutFrom(repo), ['merge-tree', '--write-tree', '--no-messages', head, before])
  if (merged.code !== 0) return null
  const place = placeAt(repo, repo.dir, identityOf(repo))
  const parents = ['-p', head, '-p', before]
  const made = runOwnGit(place, ['commit-tree', merged.stdout.toString().trim(), ...parents, '-F', '-'], `${message}\n`)
  return made.toString().trim()
}

/** Why the tree cannot follow; null: it has, or another branch is checked out there and nobody has this one. */
function whyNotFollowed(repo: Repo, { worktree, branch }: OwnTree, step: { from: string; to: string }): string | null {
  if (branch === null) return null
  const workTree = openWorkTree(repo, worktree)
  const fault = findFault(workTree, branch)
  if (fault !== null) {
    const isAway = fault.kind === 'other-branch' || fault.kind === 'detached' || fault.kind === 'missing'
    if (isAway && checkoutsOf(repo, branch).length === 0) return null
    return `the checkout ${worktree} ${faultWords(fault)}`
  }
  return whyIndexStays(repo, worktree, step)
}

/**
 * With two trees git changes only what differs between them, and keeps what a person has staged elsewhere. `-i`: the files
 * are not compared. In a clean tree the files are those of the old commit, because somebody has put them back: then they
 * follow too. No filter runs on the agent's files.
 */
function whyIndexStays(repo: Repo, tree: string, { from, to }: { from: string; to: string }): string | null {
  if (from === to) return null
  const reading = withoutFilters(repo, tree)
  const isClean = listUncommittedNow(reading).length === 0
  const args = ['read-tree', '-m', isClean ? '-u' : '-i', from, to]
  const exit = whileUnlocked(() => tryOwnGit(isClean ? placeAt(repo, tree) : reading, args))
  if (exit.code === 0) return null
  const said = exit.stderr.trim().split('\n')[0] ?? ''
  return /index\.lock/.test(said)
    ? `another git has locked the index of ${tree}: ${said}`
    : `what is staged in ${tree} is not what the agent began with: ${said}`
}

/** Others lock the index for milliseconds. */
function whileUnlocked(act: () => ReturnType<typeof tryOwnGit>): ReturnType<typeof tryOwnGit> {
  for (let left = MOST_WAITS; ; left -= 1) {
    const exit = act()
    if (left === 0 || exit.code === 0 || !/index\.lock/.test(exit.stderr)) return exit
    Bun.sleepSync(WAIT_MS)
  }
}

const WAIT_MS = 100
const MOST_WAITS = 50
