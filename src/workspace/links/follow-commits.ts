/**
 * Links whose commits are gone, or whose branch was squashed into another, are followed to where the work is now. This
 * compares patches, so it is for commands that show history, not for those that must be fast. It looks once for each
 * state of the branches.
 */
import { createHash } from 'node:crypto'
import type { Task } from '../../core/task/task.ts'
import { rewrittenCommits } from '../../ledger/links.ts'
import {
  commitsNaming,
  commitsOutside,
  copyOf,
  isPicked,
  mainTips,
  presentCommits,
  squashOf,
  stretchesOf,
  unreachableCommits,
} from '../../ledger/moved-commits.ts'
import { listRefs, readHead, readRef } from '../../platform/git/refs.ts'
import { type LinkedCommit, linkedCommits } from '../../state/index/find-entries.ts'
import { linkTip, setLinkTip } from '../../state/index/ledger-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { inLock } from '../../state/write-lock.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { type Link, linkFound, lookForCommits } from '../ledger/link-commits.ts'
import { readLedgers, readOtherLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'

/** Brings the links of every ledger up to date. */
export function linkAllLedgers(ws: Workspace): void {
  const branches = memoizedBranches(ws)
  for (const view of readLedgers(ws)) {
    lookForCommits(view)
    followCommits(readOtherLedger(ws, view.ws.ledger), branches)
  }
}

interface Branches {
  fingerprint: () => string
  mains: () => readonly string[]
}

function memoizedBranches({ repo }: Workspace): Branches {
  let fingerprint: string | undefined
  let mains: readonly string[] | undefined
  return {
    fingerprint() {
      fingerprint ??= hash([readHead(repo), ...listRefs(repo, 'refs/heads/', 'refs/remotes/', 'refs/tags/')])
      return fingerprint
    },
    mains() {
      mains ??= mainTips(repo)
      return mains
    },
  }
}

/** In the table of link tips, where a branch has this name, it is the state in which the links were last followed. */
const FOLLOWED = ''

function followCommits(view: LedgerView, branches: Branches): void {
  const { ws, row } = view
  const linked = linkedCommits(ws.state, row.lid)
  if (linked.length === 0) return
  const state = hash([branches.fingerprint(), ...linked.map(({ commit }) => commit)])
  if (linkTip(ws.state, row.lid, FOLLOWED) === state) return
  linkFound(view, {
    find: () => findMoved(view, linked, branches),
    remember: () => inLock(ws.state, () => setLinkTip(ws.state, row.lid, FOLLOWED, state)),
  })
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex')
}

/** How many links to commits that are gone are followed at a time: each may cost several git processes. */
const MOST_GONE = 50

function findMoved(view: LedgerView, linked: readonly LinkedCommit[], branches: Branches): Link[] {
  const { repo } = view.ws
  const present = presentCommits(repo, [...new Set(linked.map(({ commit }) => commit))])
  const outside = commitsOutside(repo, present, branches.mains())
  if (outside.size === 0) return []
  const squashed = findSquashed(view, outside, branches.mains())
  const left = [...outside].filter((commit) => !squashed.has(commit))
  const gone = [...unreachableCommits(repo, left)].slice(0, MOST_GONE)
  const moved = new Map([...squashed, ...findCopies(view, gone)])
  return linked.flatMap(({ uid, commit: from }) => {
    const commit = moved.get(from) ?? (gone.includes(from) ? otherCommit(view, uid, from) : undefined)
    return commit === undefined ? [] : [{ uid, commit, from }]
  })
}

/** How many tips of a branch are compared with what other branches received. */
const MOST_TIPS = 20

/** The tasks of a branch that another branch received as one commit. A cherry-pick of a single commit is not that. */
function findSquashed(view: LedgerView, outside: ReadonlySet<string>, mains: readonly string[]): Map<string, string> {
  const { repo } = view.ws
  const squashed = new Map<string, string>()
  for (const tip of tipsOf(view, outside)) {
    for (const stretch of stretchesOf(repo, tip, mains)) {
      const covered = [...stretch.commits].filter((commit) => outside.has(commit) && !squashed.has(commit))
      const squash = covered.length === 0 ? null : squashOf(repo, stretch, mains)
      if (squash === null || isPicked(repo, squash)) continue
      for (const commit of covered) squashed.set(commit, squash)
    }
  }
  return squashed
}

/** Where the ledger's branch is or was. */
function tipsOf({ ws, row }: LedgerView, outside: ReadonlySet<string>): string[] {
  const now = readRef(ws.repo, `refs/heads/${ws.ledger}`)
  const before = linkTip(ws.state, row.lid, ws.ledger)
  const tips = [now, before, ...outside].filter((tip) => tip !== null)
  return presentCommits(ws.repo, [...new Set(tips)].slice(0, MOST_TIPS))
}

/** What replaced commits that are on no branch any more: named by its message, by its author, or with the same change. */
function findCopies({ ws }: LedgerView, gone: readonly string[]): Map<string, string> {
  const named = commitsNaming(ws.repo, gone)
  const tip = readRef(ws.repo, `refs/heads/${ws.ledger}`)
  return new Map(
    gone.flatMap((commit): [string, string][] => {
      const rewritten = tip === null ? undefined : rewrittenCommits(ws.repo, commit, tip).get(commit)
      const copy = named.get(commit) ?? rewritten ?? copyOf(ws.repo, commit)
      return copy === null ? [] : [[commit, copy]]
    }),
  )
}

/** Two clones may have linked different commits: if one is gone, the other one holds. */
function otherCommit({ ws, row }: LedgerView, uid: string, gone: string): string | undefined {
  const task: Task | null = taskOf(ws.state, row.lid, uid)
  const others = presentCommits(ws.repo, task?.commits.filter((commit) => commit !== gone) ?? [])
  const unreachable = unreachableCommits(ws.repo, others)
  return others.find((commit) => !unreachable.has(commit))
}
