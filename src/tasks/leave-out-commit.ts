/** Makes a ledger continue without a bad commit: the last legal state, with every fact that does not come from it. */
import { spellName } from '../core/ledger/archived-name.ts'
import { withFactsSince } from '../core/ledger/facts-since.ts'
import { isTaskFile, uidOfLargeFile } from '../core/ledger/file-layout.ts'
import type { FileContent } from '../core/ledger/import-stream.ts'
import { joinTasks } from '../core/ledger/join-tasks.ts'
import { taskLine } from '../core/ledger/task-line.ts'
import type { Task } from '../core/task/task.ts'
import { renumber } from '../core/task/task-ids.ts'
import { UserError } from '../core/user-error.ts'
import { isAncestor } from '../ledger/links.ts'
import { readLogRecords } from '../ledger/log-records.ts'
import { type LedgerChange, listTree, readChange } from '../ledger/read-files.ts'
import { readChanges } from '../ledger/read-history.ts'
import { judgeHistory } from '../ledger/verify/first-bad-commit.ts'
import { headsWithout, leftOutIn } from '../ledger/verify/heads-without.ts'
import { readRef } from '../platform/git/refs.ts'
import { joinFiles, spellingsIn } from '../workspace/ledger/join-ledger.ts'
import { ledgerFileChanges } from '../workspace/ledger/ledger-file-changes.ts'
import { emptyRow } from '../workspace/ledger/read-ledger.ts'
import { swapLedgers } from '../workspace/ledger/swap-ledgers.ts'
import { writeLedgerCommit } from '../workspace/ledger/write-ledger-commit.ts'
import { acceptedCommits } from '../workspace/legal/accepted-commits.ts'
import { badText, waysOut } from '../workspace/legal/legal-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'

/** Moves the local ledger to a state without the commit that joins these tips. The earlier tips stay in refs of gza. */
export function leaveOut(ws: Workspace, ledger: string, { commit, tips }: { commit: string; tips: string[] }): string {
  const heads = headsWithout(ws.repo, tips, new Set([commit]))
  if (heads.length === 0) throw nothingLeft(commit)
  refuseOthers(ws, ledger, heads)
  const legal = heads.map((head) => readChange(ws.repo, null, head))
  const base = legal.map(tasksOf).reduce<Task[]>((all, tasks) => joinTasks(all, tasks), [])
  const touched = touchedBy(ws, commit, tips)
  const tasks = renumber(
    joinTasks(
      base,
      tips.flatMap((tip) => keptOf(ws, { tip, heads, base, touched: touched.tasks })),
    ),
  )
  const [only = '', ...others] = heads
  const isDone = others.length === 0 && leftOutIn(ws.repo, only).has(commit) && sameLines(tasks, base)
  const to = isDone ? only : writeState(ws, { ledger, commit, heads, legal, tasks, tips, touched })
  const from = readRef(ws.repo, ledgerRef(ledger))
  const kept = tips.filter((tip) => !heads.includes(tip))
  const moves = kept.map((tip) => ({
    ref: keptRef(ledger, tip),
    to: tip,
    from: readRef(ws.repo, keptRef(ledger, tip)),
  }))
  // The kept tips first: git moves one ref after the other, and may be killed in between.
  if (swapLedgers(ws, [...moves, { ref: ledgerRef(ledger), to, from }], `gza: leave out ${commit.slice(0, 7)}`))
    return to
  throw new UserError('LEDGER_BUSY', `${ledgerRef(ledger)} was moved by others meanwhile`, {
    hint: 'Nothing was changed. Run the command again.',
  })
}

function keptRef(ledger: string, tip: string): string {
  return `refs/gza/left-out/${spellName(ledger)}/${tip.slice(0, 12)}`
}

function nothingLeft(commit: string): UserError {
  return new UserError('NOTHING_LEFT', `Without ${commit.slice(0, 7)} nothing of the ledger would be left`, {
    hint: 'Nothing was changed. The ledger begins with that commit.',
  })
}

/** A second bad commit that does not follow the first one would still be there. */
function refuseOthers(ws: Workspace, ledger: string, heads: readonly string[]): void {
  for (const to of heads) {
    const { firstBad } = judgeHistory(ws.repo, { from: null, to, accepted: acceptedCommits(ws) })
    if (firstBad === null) continue
    throw new UserError('ILLEGAL_HISTORY', `${ledger} has another illegal commit: ${badText(firstBad)}`, {
      hint: waysOut(firstBad),
    })
  }
}

interface Touched {
  /** The tasks that bad commits changed, as the last of them left each; null if it is gone. */
  tasks: Map<string, Task | null>
  files: Set<string>
}

/** What the commit and the bad commits after it changed. */
function touchedBy(ws: Workspace, commit: string, tips: readonly string[]): Touched {
  const accepted = acceptedCommits(ws)
  const bad = new Set([commit])
  for (const to of tips)
    for (const problem of judgeHistory(ws.repo, { from: null, to, accepted }).problems) bad.add(problem.commit)
  const rows = readLogRecords(ws.repo, ['%H', '%P'], ['--topo-order', '--reverse', ...tips, '--'])
  const found = rows.flatMap(([oid = '', parents = '']) =>
    bad.has(oid) ? [{ commit: oid, parents: parents.split(' ').filter(Boolean) }] : [],
  )
  const touched: Touched = { tasks: new Map(), files: new Set() }
  for (const { before, after, artifacts } of readChanges(ws.repo, found)) {
    for (const uid of [...before.keys(), ...after.keys()]) touched.tasks.set(uid, after.get(uid) ?? null)
    for (const { path } of artifacts) touched.files.add(path)
  }
  return touched
}

/** What a history that contains the commit adds to the legal state. */
function keptOf(
  ws: Workspace,
  { tip, heads, base, touched }: { tip: string; heads: string[]; base: Task[]; touched: Touched['tasks'] },
): Task[] {
  if (heads.includes(tip)) return []
  const legal = new Map(base.map((task) => [task.uid, task]))
  return tasksOf(readChange(ws.repo, null, tip)).flatMap((now) => {
    const before = legal.get(now.uid)
    if (!touched.has(now.uid)) return [now]
    return before === undefined ? [] : [withFactsSince(before, touched.get(now.uid) ?? null, now)]
  })
}

interface NextState {
  ledger: string
  commit: string
  heads: readonly string[]
  legal: readonly LedgerChange[]
  tasks: readonly Task[]
  tips: readonly string[]
  touched: Touched
}

/** One commit on all legal heads. It names the commit that it leaves out, so that other clones can do the same. */
function writeState(ws: Workspace, { ledger, commit, heads, legal, tasks, tips, touched }: NextState): string {
  const first = listTree(ws.repo, heads[0] as string)
  const files = new Map<string, FileContent | null>()
  for (const { path } of first) if (isTaskFile(path) || uidOfLargeFile(path) !== null) files.set(path, null)
  const spellings = new Map(legal.flatMap((change) => [...spellingsIn(change)]))
  const unreadable = legal.flatMap((change) => change.files.flatMap((file) => file.unreadable.map(({ text }) => text)))
  const plan = ledgerFileChanges(ws.state, emptyRow(ledger), tasks, { spellings, unreadable })
  for (const [path, content] of plan.files) files.set(path, content)
  for (const other of [...heads, ...tips]) {
    const theirs = listTree(ws.repo, other).filter(({ path }) => heads.includes(other) || !touched.files.has(path))
    for (const [path, content] of joinFiles(first, theirs)) files.set(path, content)
  }
  return writeLedgerCommit(ws, { parents: heads, files, subject: `leave out ${commit.slice(0, 7)}`, without: commit })
}

function tasksOf({ files }: LedgerChange): Task[] {
  return files.flatMap((file) => file.tasks)
}

function sameLines(a: readonly Task[], b: readonly Task[]): boolean {
  const lines = (tasks: readonly Task[]) => tasks.map(taskLine).sort().join('\n')
  return lines(a) === lines(b)
}

/** Others have left out a bad commit that this clone had taken in: it leaves it out too, and keeps its own facts. */
export function followLeftOut(ws: Workspace, ledger: string, theirs: string): void {
  const mine = readRef(ws.repo, ledgerRef(ledger))
  if (mine === null || isAncestor(ws.repo, mine, theirs) || isAncestor(ws.repo, theirs, mine)) return
  const named = [...leftOutIn(ws.repo, theirs, mine)].filter((commit) => isAncestor(ws.repo, commit, mine))
  if (named.length === 0) return
  const { problems } = judgeHistory(ws.repo, { from: null, to: mine, accepted: acceptedCommits(ws) })
  const bad = new Set(problems.map(({ commit }) => commit))
  for (const commit of named.filter((each) => bad.has(each)).slice(0, 1))
    leaveOut(ws, ledger, { commit, tips: [mine, theirs] })
}
