/**
 * Links closed tasks to commits without any hook: a command finds the commit that followed a `done`, and the commit
 * that replaced a linked one after amend or rebase.
 */
import { commitOrNull } from '../../core/ledger/stored-names.ts'
import { command, sentence } from '../../core/sentence.ts'
import { linkCommits } from '../../core/task/operations.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { printable } from '../../core/text/printable.ts'
import { UserError } from '../../core/user-error.ts'
import { madeAfter, originsOf } from '../../ledger/arrived-commits.ts'
import {
  type Commit,
  commitsFollowing,
  isAncestor,
  nextCommit,
  notedCommits,
  noteTask,
  rewrittenCommits,
  TASK_NOTES,
} from '../../ledger/links.ts'
import { type Head, readHead, readRef, readReflog } from '../../platform/git/refs.ts'
import { entriesAwaitingCommit, entriesClosedBy, entriesWithCommit } from '../../state/index/find-entries.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { linkTip, setLinkTip } from '../../state/index/ledger-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { notedState, setNotedState } from '../../state/index/sync/all-ledgers.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { inLock } from '../../state/write-lock.ts'
import { alsoFor, ledgerRef, type Workspace } from '../workspace.ts'
import { changeLedger } from './change-ledger.ts'
import type { LedgerView } from './ledger-view.ts'

/**
 * Checks whether the history has moved and links what it finds. Costs no git process if nothing moved and no task waits
 * for a commit.
 */
export function lookForCommits(view: LedgerView): boolean {
  const head = readHead(view.ws.repo)
  const found = linkFound(view, () => [...awaitedCommits(view), ...replacedCommits(view, head)])
  // Last: if this command ends earlier, the next one checks again.
  if (found !== null) unlessRefused(() => rememberTip(view, head))
  return found === true
}

/** Links only what tasks wait for: for ledgers that no command asked for. */
export function linkAwaited(view: LedgerView): void {
  linkFound(view, () => awaitedCommits(view))
}

/** Links what a search finds. Returns whether it found anything; null if that could not be written. */
export function linkFound({ ws }: LedgerView, find: () => Link[]): boolean | null {
  return unlessRefused(() => {
    try {
      const links = find()
      if (links.length > 0) recordLinks(ws, links)
      return links.length > 0
    } catch (error) {
      if (error instanceof UserError && error.code !== 'READ_ONLY')
        ws.warnings.push(sentence`Commits are not linked yet: ${error.fact}`)
      throw error
    }
  })
}

/** A command that only reads must not fail because something could not be written: null, and the next one tries again. */
export function unlessRefused<T>(write: () => T): T | null {
  try {
    return write()
  } catch (error) {
    if (isUnwritable(error) || error instanceof UserError) return null
    throw error
  }
}

export interface Link {
  uid: string
  commit: string
  /** The commit that it replaces; nothing else is replaced. */
  from: string | null
}

function awaitedCommits({ ws, row }: LedgerView): Link[] {
  const find = awaitedCommitFinder(ws)
  return entriesAwaitingCommit(ws.state, row.lid).flatMap(({ uid }): Link[] => {
    const task = taskOf(ws.state, row.lid, uid)
    const commit = task === null ? null : find(task)
    return commit === null ? [] : [{ uid, commit, from: null }]
  })
}

/** Others may leave many tasks that wait for their commits: their common input is read once. */
function awaitedCommitFinder(ws: Workspace): (task: Task) => string | null {
  const following = memoized((base: string, tip: string) => commitsFollowing(ws.repo, base, tip))
  const origins = memoized((ref: string, base: string) => originsOf(ws.repo, ref, base))
  const closings = memoized(() => closingsHere(ws))
  return (task) => {
    const { closed_head, closed_branch, closed_at, closed_by } = task
    const base = closed_head === undefined ? ws.repo.zeroOid : commitOrNull(closed_head)
    if (base === null) return null
    const since = Date.parse(closed_at ?? '') / 1000
    // No branch was checked out: only the work tree where it was closed can know.
    if (closed_branch === 'HEAD') return closings()(task) ? madeAfter(ws.repo, base, since) : null
    const ref = `refs/heads/${closed_branch}`
    const tip = readRef(ws.repo, ref)
    if (tip === null || tip === base) return null
    const isOwn = closings()(task) ? origins(ref, base).isOwn : ({ committer }: Commit) => committer === closed_by
    return nextCommit(following(base, tip), since, isOwn)
  }
}

function memoized<A extends string[], T>(read: (...args: A) => T): (...args: A) => T {
  const known = new Map<string, { value: T }>()
  return (...args) => {
    const key = args.join(' ')
    const found = known.get(key) ?? { value: read(...args) }
    known.set(key, found)
    return found.value
  }
}

/**
 * Which tasks were closed in this clone, according to the ledger's reflog: closings from a sync are not in it by name.
 */
function closingsHere(ws: Workspace): (task: Task) => boolean {
  const moves = readReflog(ws.repo, ledgerRef(ws.ledger))
  const ids = moves
    .filter(({ message }) => message.startsWith('gza: done '))
    .flatMap(({ message }) => message.match(/\btask-[0-9a-f]+/g) ?? [])
  // Without a reflog, all of them may have been.
  return ({ uid }) => moves.length === 0 || ids.some((id) => uid.startsWith(id.slice('task-'.length)))
}

function replacedCommits({ ws, row }: LedgerView, head: Head): Link[] {
  const seen = head.kind === 'branch' ? linkTip(ws.state, row.lid, head.branch) : null
  if (seen === null || head.oid === null || seen === head.oid || isAncestor(ws.repo, seen, head.oid)) return []
  return findReplacements(ws, row.lid, seen, head.oid)
}

function rememberTip({ ws, row }: LedgerView, head: Head): void {
  const { oid } = head
  if (row.lid < 0 || head.kind !== 'branch' || oid === null) return
  if (linkTip(ws.state, row.lid, head.branch) === oid) return
  inLock(ws.state, () => setLinkTip(ws.state, row.lid, head.branch, oid))
}

function findReplacements(ws: Workspace, lid: number, oldTip: string, newTip: string): Link[] {
  const rewritten = rewrittenCommits(ws.repo, oldTip, newTip)
  return [...rewritten].flatMap(([old, commit]) =>
    entriesClosedBy(ws.state, lid, old).map(({ uid }) => ({ uid, commit, from: old })),
  )
}

function recordLinks(ws: Workspace, links: readonly Link[]): void {
  const linked = changeLedger(ws, ({ row, ws: { state } }) => {
    const tasks = links.flatMap(({ uid, commit, from }) => {
      const task = taskOf(state, row.lid, uid)
      const isCurrent = task !== null && task.status !== 'pending' && task.closed_commit === from
      return isCurrent ? [linkCommits(task, [commit])] : []
    })
    return {
      tasks,
      subject: `link ${tasks.map((task) => `${task.id} ${task.closed_commit?.slice(0, 7)}`).join(', ')}`,
      result: tasks,
    }
  })
  writeNotes(ws, linked)
}

/** Names each closed task in a note on its commit. The ledger already has the link, so the note may come later. */
export function writeNotes(ws: Workspace, tasks: readonly Task[]): void {
  noteCommits(ws, closings(tasks))
}

/** The commits that closed them. */
export function closings(tasks: readonly Task[]): { task: Task; commit: string }[] {
  return tasks.flatMap((task) => (task.closed_commit === null ? [] : [{ task, commit: task.closed_commit }]))
}

/** Names tasks in notes on the commits with their work. */
export function noteCommits(ws: Workspace, links: readonly { task: Task; commit: string }[]): void {
  if (links.length === 0) return
  try {
    inLock(ws.state, () => {
      for (const { task, commit } of links) noteTask(ws.repo, commit, noteLine(task))
    })
  } catch (error) {
    if (!(error instanceof UserError) && !isUnwritable(error)) throw error
    ws.warnings.push(sentence`The commit has no note yet; ${command`sync`} adds it: ${(error as Error).message}`)
  }
}

export function noteLine(task: Task): string {
  // Git shows a note unchanged.
  return `${task.id}: ${printable(titleOf(task))}`
}

/**
 * Writes the missing notes, for example after a sync or after a crash between link and note. If none is missing, that is
 * remembered: git is asked again when a ledger or the notes have changed.
 */
export function addMissingNotes(ws: Workspace, ledgers: readonly Pick<LedgerRow, 'ledger' | 'lid' | 'tip'>[]): void {
  const state = stateOfNotes(ws, ledgers)
  if (notedState(ws.state) === state) return
  const linked = ledgers.flatMap(({ ledger, lid }) => {
    const rows = entriesWithCommit(ws.state, lid)
    return rows.length === 0 ? [] : [{ ledger, tasks: rows.flatMap(({ uid }) => taskOf(ws.state, lid, uid) ?? []) }]
  })
  const noted = linked.length === 0 ? new Set<string>() : notedCommits(ws.repo)
  let isComplete = true
  for (const { ledger, tasks } of linked) {
    const missing = tasks.filter((task) => !noted.has(task.closed_commit as string))
    if (missing.length === 0) continue
    isComplete = false
    writeNotes(alsoFor(ws, { ledger }), missing)
  }
  if (isComplete) unlessRefused(() => inLock(ws.state, () => setNotedState(ws.state, state)))
}

function stateOfNotes({ repo }: Workspace, ledgers: readonly Pick<LedgerRow, 'ledger' | 'tip'>[]): string {
  const tips = ledgers.map(({ ledger, tip }) => [ledger, tip])
  return new Bun.CryptoHasher('sha1').update(JSON.stringify([readRef(repo, TASK_NOTES), tips])).digest('hex')
}
