/** Joins another copy of a ledger into this one: decides only; changeLedger writes. */
import { compareText } from '../../core/ledger/canonical.ts'
import {
  besideFile,
  FORMAT_FILE,
  isArtifact,
  isTaskFile,
  uidOfLargeFile,
  writeTask,
} from '../../core/ledger/file-layout.ts'
import type { FileContent } from '../../core/ledger/import-stream.ts'
import { joinTasks } from '../../core/ledger/join-tasks.ts'
import type { Spelling } from '../../core/ledger/task-files.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import { settleLateDone } from '../../core/task/late-done.ts'
import type { Task } from '../../core/task/task.ts'
import { renumber } from '../../core/task/task-ids.ts'
import { type LedgerChange, listTree, readChange, type TreeEntry } from '../../ledger/read-files.ts'
import { foreignSpellings } from '../../state/index/file-lines.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import type { Decision } from './change-ledger.ts'
import type { LedgerView } from './ledger-view.ts'

/** What this ledger must take over so that it contains everything of commit `other`. */
export function decideJoin(view: LedgerView, other: string, subject: string): Decision<number> {
  const { repo, state } = view.ws
  const theirs = readChange(repo, null, other)
  const mine = [...tasksInOrder(state, view.row.lid)]
  const theirTasks = theirs.files.flatMap((file) => file.tasks)
  const joined = renumber(settled(view, [mine, theirTasks], joinTasks(mine, theirTasks)))
  const before = new Map(mine.map((task) => [task.uid, taskLine(task)]))
  const changed = joined.filter((task) => before.get(task.uid) !== taskLine(task))
  const spellings = spellingsIn(theirs)
  const respelled = respelledHere(view, spellings, before)
  return {
    tasks: [...changed, ...joined.filter(({ uid }) => respelled.has(uid))],
    subject,
    result: changed.length,
    joined: [other],
    artifacts: joinFiles(view.row.tip === '' ? [] : listTree(repo, view.row.tip), listTree(repo, other)),
    spellings,
    unreadable: theirs.files.flatMap((file) => file.unreadable.map(({ text }) => text)),
  }
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
