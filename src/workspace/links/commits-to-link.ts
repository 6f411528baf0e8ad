/** Which commits a task that is being closed gets. */
import { commitOrNull } from '../../core/ledger/stored-names.ts'
import { hasWaitedForCommit } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { originsOf } from '../../ledger/arrived-commits.ts'
import { commitsSince, type ListedCommit } from '../../ledger/links.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { entriesClosedBy } from '../../state/index/find-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { leaseOf } from '../../state/live/leases.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'

/**
 * The commits of a task that is being closed, oldest first: all that were made here since it was taken, or the newest
 * one since it was filed. Several tasks may have one commit, but not if it was made for one of them alone.
 */
export function commitsToLink(view: LedgerView, task: Task): string[] {
  const { repo, live } = view.ws
  const { oid: head, ...at } = readHead(repo)
  const lease = live === null ? null : leaseOf(live, task.uid)
  const taken = lease?.released_at === null ? lease.head : null
  const base = taken ?? commitOrNull(task.created_head) ?? repo.zeroOid
  if (head === null || head === repo.zeroOid || head === base) return []
  const range = { base, head, ref: at.kind === 'branch' ? `refs/heads/${at.branch}` : 'HEAD' }
  const since = taken === null ? newestOwn(repo, range) : allOwn(repo, range)
  const born = Date.parse(task.created_at) / 1000
  const isFree = ({ oid }: Candidate) => !task.commits.includes(oid) && !isMadeForOther(view, oid, task)
  return since.filter((commit) => commit.time >= born && isFree(commit)).map(({ oid }) => oid)
}

interface Range {
  base: string
  head: string
  ref: string
}

type Candidate = Pick<ListedCommit, 'oid' | 'time'>

function allOwn(repo: Repo, range: Range): Candidate[] {
  const { isOwn, mergedOwn } = originsOf(repo, range.ref, range.base)
  const commits = commitsSince(repo, range, { firstParent: true })
  return commits.filter(isOwn).flatMap((commit) => {
    const merged = commit.parents.length < 2 ? [] : mergedOwn(commit)
    return [...merged.map((oid) => ({ oid, time: commit.time })), commit]
  })
}

/** How far back the newest commit that was made here is looked for, if others arrived after it. */
const FAR = 200

function newestOwn(repo: Repo, range: Range): Candidate[] {
  const { isOwn } = originsOf(repo, range.ref, range.base)
  const newest = commitsSince(repo, range, { limit: 1 })
  if (newest.every(isOwn)) return newest
  const own = commitsSince(repo, range, { limit: FAR, firstParent: true }).findLast(isOwn)
  return own === undefined ? [] : [own]
}

/** Did another task wait for the commit, or did gza make it to land another task? */
function isMadeForOther({ ws, row }: LedgerView, commit: string, task: Task): boolean {
  const others = entriesClosedBy(ws.state, row.lid, commit).filter(({ uid }) => uid !== task.uid)
  return others.some(({ uid }) => {
    const other = taskOf(ws.state, row.lid, uid)
    return other !== null && (hasWaitedForCommit(other) || hasLandedAs(other, commit))
  })
}

export function hasLandedAs({ landings }: Task, commit: string): boolean {
  return landings.some(({ commits }) => commits?.includes(commit) === true)
}
