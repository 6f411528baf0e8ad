/** Joins another copy of a ledger into this one: decides only; changeLedger writes. */
import { compareText } from '../../core/ledger/canonical.ts'
import {
  besideFile,
  FORMAT_FILE,
  isArtifact,
  isTaskFile,
  largeNameIn,
  uidOfLargeFile,
  writeTask,
} from '../../core/ledger/file-layout.ts'
import type { FileContent } from '../../core/ledger/import-stream.ts'
import { joinTasks } from '../../core/ledger/join-tasks.ts'
import { placesOfFile, type Spelling } from '../../core/ledger/task-files.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import { settleLateDone } from '../../core/task/late-done.ts'
import type { Task } from '../../core/task/task.ts'
import { numbersOf, type OtherTasks, renumber } from '../../core/task/task-ids.ts'
import { diffTrees, type LedgerChange, listTree, readChange, type TreeEntry } from '../../ledger/read-files.ts'
import { foreignSpellings, lineInFile } from '../../state/index/file-lines.ts'
import { uidsAtPlaces } from '../../state/index/find-entries.ts'
import { taskOf, tasksInOrder } from '../../state/index/read-tasks.ts'
import { claimsOn } from '../../state/index/sync/all-ledgers.ts'
import type { Decision } from './change-ledger.ts'
import type { LedgerView } from './ledger-view.ts'

/** What this ledger must take over so that it contains everything of commit `other`. */
export function decideJoin(view: LedgerView, other: string, subject: string): Decision<number> {
  const sides = differingSides(view, other) ?? wholeSides(view, other)
  const { mine, theirs, files, others } = sides
  const theirTasks = tasksOf(theirs)
  const joined = renumber(settled(view, [mine, theirTasks], sides.joined), others)
  const before = new Map(mine.map((task) => [task.uid, taskLine(task)]))
  const changed = joined.filter((task) => before.get(task.uid) !== taskLine(task))
  const spellings = spellingsIn(theirs)
  const respelled = respelledHere(view, spellings, before)
  return {
    tasks: [...changed, ...joined.filter(({ uid }) => respelled.has(uid))],
    subject,
    result: changed.length,
    joined: [other],
    artifacts: files,
    spellings,
    unreadable: theirs.files.flatMap((file) => file.unreadable.map(({ text }) => text)),
  }
}

/** What must be compared of both ledgers. */
interface Sides {
  mine: Task[]
  theirs: LedgerChange
  joined: Task[]
  /** Files beside the tasks to take over. */
  files: Map<string, FileContent>
  /** The tasks that are not compared, because both have them in the same file. */
  others: OtherTasks | undefined
}

/**
 * The tasks in files that differ. Null if that is not enough: a large file is damaged, or two tasks got the same id, and
 * all other ids decide about their new ones.
 */
function differingSides(view: LedgerView, other: string): Sides | null {
  const { ws, row } = view
  if (row.tip === '') return null
  const theirs = withReferredLarge(view, readChange(ws.repo, row.tip, other))
  const mine = differingHere(view, theirs)
  const known = new Map(mine.map((task) => [task.uid, task]))
  if (theirs.lostLarge.some((uid) => !known.has(uid))) return null
  const theirTasks = tasksOf(theirs)
  const joined = joinTasks(mine, theirTasks)
  const ids = new Set([...mine, ...theirTasks].map(({ id }) => id))
  if (joined.some(({ id }) => !ids.has(id)) || new Set(joined.map(({ id }) => id)).size < joined.length) return null
  const numbers = joined.flatMap(numbersOf)
  const claims = claimsOn(ws.state, row.lid, [...new Set(numbers)]).filter(({ uid }) => !known.has(uid))
  const differing = diffTrees(ws.repo, row.tip, other)
  const hasFiles = differing.some(({ path, blob }) => blob !== null && isBeside(path))
  const files = hasFiles ? joinFiles(listTree(ws.repo, row.tip), differing) : new Map()
  return { mine, theirs, joined, files, others: { last: row.last_number, claims } }
}

/** Only files that a line names: both ledgers have that line. */
function withReferredLarge({ ws, row }: LedgerView, change: LedgerChange): LedgerChange {
  const isReferred = ({ uid }: Task) => largeNameIn(lineInFile(ws.state, row, uid) ?? '') !== null
  return { ...change, large: change.large.filter(isReferred) }
}

/** Tasks of this ledger in files that the other one has not, or has with other lines. */
function differingHere({ ws, row }: LedgerView, theirs: LedgerChange): Task[] {
  const inFiles = theirs.files.flatMap(({ path }) => {
    const places = placesOfFile(row, path)
    return places === null ? [] : uidsAtPlaces(ws.state, row.lid, places.first, places.end)
  })
  const uids = new Set([...inFiles, ...tasksOf(theirs).map(({ uid }) => uid)])
  return [...uids].flatMap((uid) => taskOf(ws.state, row.lid, uid) ?? [])
}

function wholeSides({ ws: { repo, state }, row }: LedgerView, other: string): Sides {
  const theirs = { ...readChange(repo, null, other), large: [] }
  const mine = [...tasksInOrder(state, row.lid)]
  const files = joinFiles(row.tip === '' ? [] : listTree(repo, row.tip), listTree(repo, other))
  return { mine, theirs, joined: joinTasks(mine, tasksOf(theirs)), files, others: undefined }
}

/** A task whose own large file changed is in no file of lines that did. */
function tasksOf({ files, large }: LedgerChange): Task[] {
  return [...files.flatMap((file) => file.tasks), ...large]
}

/** How the tasks of a commit are written, by uid. */
export function spellingsIn({ files }: LedgerChange): Map<string, Spelling> {
  return new Map(
    files.flatMap(({ tasks, spellings }) => spellings.map((each, at) => [tasks[at]?.uid ?? '', each] as const)),
  )
}

/**
 * The tasks that are the same on both sides, and that another program wrote differently there. Of two such lines all
 * clones keep the greater one; a line of gza itself gives way.
 */
function respelledHere(
  { ws, row }: LedgerView,
  theirs: ReadonlyMap<string, Spelling>,
  before: ReadonlyMap<string, string>,
): Set<string> {
  const isForeign = ({ full, line }: Spelling) => writeTask(full).line !== line
  const suspects = [...theirs].filter(([uid, each]) => before.get(uid) === each.full && isForeign(each))
  if (suspects.length === 0) return new Set()
  const mine = foreignSpellings(ws.state, row)
  return new Set(suspects.filter(([uid, { line }]) => compareText(line, mine.get(uid) ?? '') > 0).map(([uid]) => uid))
}

/** Only a person's commit may open a task again. */
function settled({ ws }: LedgerView, sides: readonly (readonly Task[])[], joined: readonly Task[]): Task[] {
  const isTaken = ({ runs }: Task) => runs.some(({ expired_claims }) => expired_claims !== undefined)
  if (ws.actor.mode === 'agent') return [...joined]
  return joined.map((task) => {
    if (!isTaken(task)) return task
    return settleLateDone(
      sides.flatMap((side) => side.find(({ uid }) => uid === task.uid) ?? []),
      task,
    )
  })
}

/**
 * Everything beside the tasks is united: artifacts, and files that this version does not know. Two texts under one name
 * are both kept, and all clones agree on which one keeps the name.
 */
export function joinFiles(mine: readonly TreeEntry[], theirs: readonly TreeEntry[]): Map<string, FileContent> {
  const own = new Map(mine.map(({ path, blob }) => [path, blob ?? '']))
  const folders = new Set(mine.flatMap(({ path }) => foldersOf(path)))
  const isFree = (path: string) => !folders.has(path) && !foldersOf(path).some((folder) => own.has(folder))
  const files = new Map<string, FileContent>()
  for (const { path, blob } of theirs) {
    if (blob === null || !isBeside(path) || own.get(path) === blob) continue
    // Git has no file and folder of one name: the present one keeps it.
    const name = isFree(path) ? path : path.replaceAll('/', '~')
    const present = own.get(name)
    const [kept, other] = present === undefined || compareText(blob, present) > 0 ? [blob, present] : [present, blob]
    if (kept !== present) files.set(name, { blob: kept })
    if (other !== undefined && other !== kept) files.set(besideFile(name, other), { blob: other })
  }
  return files
}

function foldersOf(path: string): string[] {
  return path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]))
}

/** Names that git itself might refuse stay only in the history of the joined commit. */
function isBeside(path: string): boolean {
  if (path === FORMAT_FILE || isTaskFile(path) || uidOfLargeFile(path) !== null) return false
  return isArtifact(path) || /^(?!.*(?:^|\/)(?:\.|git~))[\w.@+~ -]+(?:\/[\w.@+~ -]+)*$/i.test(path)
}
