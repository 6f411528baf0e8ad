/**
 * Links whose commits are gone, or whose branch was squashed into another, are followed to where the work is now. This
 * compares patches, so it is for commands that show history, not for those that must be fast. It looks once for each
 * state of the branches and links, in all ledgers together.
 */
import { createHash } from 'node:crypto'
import { rewrittenCommits } from '../../ledger/links.ts'
import {
  type ChangedFiles,
  changedFilesIn,
  commitsNaming,
  commitsOutside,
  copyOf,
  isPicked,
  mainTips,
  presentCommits,
  recentCommits,
  squashOf,
  stretchesOf,
  unreachableCommits,
} from '../../ledger/moved-commits.ts'
import { readRefValues } from '../../platform/git/ref-files.ts'
import { readHead, readRef } from '../../platform/git/refs.ts'
import { type LinkedCommit, linkedCommits } from '../../state/index/find-entries.ts'
import { followedState, linkTip, setFollowedState } from '../../state/index/ledger-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { ledgersAwaitingCommit } from '../../state/index/sync/all-ledgers.ts'
import { inLock } from '../../state/write-lock.ts'
import { type CurrentLedger, currentLedgers, localTips } from '../branches/current-ledgers.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { type Link, linkAwaited, linkFound, unlessRefused } from '../ledger/link-commits.ts'
import { readLedgers, readOtherLedger } from '../ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { readLinkedLedger } from './read-linked-ledger.ts'

/** Brings the links of every ledger up to date. */
export function linkAllLedgers(ws: Workspace): void {
  const { namedLedger } = ws
  if (namedLedger !== null && readRef(ws.repo, ledgerRef(namedLedger)) !== null) readLinkedLedger(ws)
  const tips = localTips(ws)
  const found = linkAwaitedElsewhere(ws, currentLedgers(ws, tips)).map(({ ledger, lid }) => {
    return { ledger, linked: linkedCommits(ws.state, lid) }
  })
  const readable = new Set(found.map(({ ledger }) => ledger))
  const others = [...tips.keys()].filter((ledger) => !readable.has(ledger))
  // So that it is reported that they cannot be read.
  if (others.length > 0) readLedgers(ws, others)
  const state = stateOf(ws, found)
  if (followedState(ws.state) === state) return
  const ledgers = found.map(({ ledger, linked }) => ({ view: readOtherLedger(ws, ledger), linked }))
  const search = openSearch(ws, ledgers)
  const results = ledgers.map((ledger) => linkFound(ledger.view, () => findMoved(search, ledger)))
  if (results.includes(null)) return
  unlessRefused(() => inLock(ws.state, () => setFollowedState(ws.state, state)))
}

/** Tasks of ledgers that no command asked for. Returns the ledgers as they are then. */
function linkAwaitedElsewhere(ws: Workspace, current: CurrentLedger[]): CurrentLedger[] {
  const awaiting = ledgersAwaitingCommit(ws.state)
  const waiting = current.filter(({ ledger, lid }) => ledger !== ws.namedLedger && awaiting.has(lid))
  for (const { ledger } of waiting) linkAwaited(readOtherLedger(ws, ledger))
  return waiting.length === 0 ? current : currentLedgers(ws)
}

interface FoundLinks {
  ledger: string
  linked: readonly LinkedCommit[]
}

interface LinkedLedger {
  view: LedgerView
  linked: readonly LinkedCommit[]
}

function stateOf({ repo }: Workspace, ledgers: readonly FoundLinks[]): string {
  const refs = readRefValues(repo, ['refs/heads/', 'refs/remotes/', 'refs/tags/'])
  const links = ledgers.map(({ ledger, linked }) => [ledger, linked.map(({ commit }) => commit)])
  return createHash('sha1')
    .update(JSON.stringify([readHead(repo), [...refs], links]))
    .digest('hex')
}

/** What is known about the linked commits of all ledgers. */
interface Search {
  mains: readonly string[]
  /** Linked commits that the main branches do not contain. */
  outside: ReadonlySet<string>
  /** Those of them that no branch contains. */
  gone: readonly string[]
  /** Those that one of the recent commits may contain, because it changed the same files later. */
  plausible: ReadonlySet<string>
  recent: readonly ChangedFiles[]
  /** How many further tips may be compared: each costs some git processes. */
  tipsLeft: number
}

const MOST_TIPS = 20

/** How many links to commits that are gone are followed at a time. */
const MOST_GONE = 50

function openSearch({ repo }: Workspace, ledgers: readonly LinkedLedger[]): Search {
  const commits = new Set(ledgers.flatMap(({ linked }) => linked.map(({ commit }) => commit)))
  const present = presentCommits(repo, [...commits])
  const mains = present.length === 0 ? [] : mainTips(repo)
  const outside = commitsOutside(repo, present, mains)
  const recent = outside.size === 0 ? [] : recentCommits(repo, mains)
  const plausible = changedFilesIn(repo, [...outside]).filter((linked) =>
    recent.some((main) => mayContain(main, linked)),
  )
  return {
    mains,
    outside,
    gone: [...unreachableCommits(repo, [...outside])].slice(0, MOST_GONE),
    plausible: new Set(plausible.map(({ oid }) => oid)),
    recent,
    tipsLeft: MOST_TIPS,
  }
}

/** The clocks of two machines may differ. */
const CLOCK_DIFFERENCE_S = 86_400

function mayContain(main: ChangedFiles, { files, time }: ChangedFiles): boolean {
  return files.size > 0 && main.time >= time - CLOCK_DIFFERENCE_S && [...files].every((file) => main.files.has(file))
}

function findMoved(search: Search, { view, linked }: LinkedLedger): Link[] {
  const own = new Set(linked.map(({ commit }) => commit).filter((commit) => search.outside.has(commit)))
  if (own.size === 0) return []
  const squashed = findSquashed(view, search, own)
  const gone = search.gone.filter((commit) => own.has(commit) && !squashed.has(commit))
  const moved = new Map([...squashed, ...findCopies(view, gone)])
  return linked.flatMap(({ uid, commit: from }) => {
    const commit = moved.get(from) ?? (gone.includes(from) ? otherCommit(view, uid, from) : undefined)
    return commit === undefined ? [] : [{ uid, commit, from }]
  })
}

/** The tasks of a branch that another branch received as one commit. A cherry-pick of a single commit is not that. */
function findSquashed(view: LedgerView, search: Search, own: ReadonlySet<string>): Map<string, string> {
  const { repo } = view.ws
  const squashed = new Map<string, string>()
  const plausible = [...own].filter((commit) => search.plausible.has(commit))
  for (const tip of plausible.length === 0 ? [] : tipsOf(view, plausible)) {
    if (search.tipsLeft-- <= 0 || plausible.every((commit) => squashed.has(commit))) break
    for (const stretch of stretchesOf(repo, tip, search.mains)) {
      const covered = [...own].filter((commit) => stretch.commits.has(commit) && !squashed.has(commit))
      const squash = covered.length === 0 ? null : squashOf(repo, stretch, search.recent)
      if (squash === null || isPicked(repo, squash)) continue
      for (const commit of covered) squashed.set(commit, squash)
    }
  }
  return squashed
}

/** Where the ledger's branch is or was. */
function tipsOf({ ws, row }: LedgerView, commits: readonly string[]): string[] {
  const now = readRef(ws.repo, `refs/heads/${ws.ledger}`)
  const before = linkTip(ws.state, row.lid, ws.ledger)
  const tips = [now, before, ...commits].filter((tip) => tip !== null)
  return presentCommits(ws.repo, [...new Set(tips)])
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
  const commits = taskOf(ws.state, row.lid, uid)?.commits ?? []
  const others = presentCommits(
    ws.repo,
    commits.filter((commit) => commit !== gone),
  )
  const unreachable = unreachableCommits(ws.repo, others)
  return others.find((commit) => !unreachable.has(commit))
}
