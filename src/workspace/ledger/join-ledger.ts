/** Joins another copy of a ledger into this one: decides only; changeLedger writes. */
import { compareText } from '../../core/ledger/canonical.ts'
import { besideFile } from '../../core/ledger/file-layout.ts'
import type { FileContent } from '../../core/ledger/import-stream.ts'
import { joinTasks } from '../../core/ledger/join-tasks.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import { renumber } from '../../core/task/task-ids.ts'
import { type LedgerChange, readChange } from '../../ledger/read-files.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import type { Decision } from './change-ledger.ts'
import type { LedgerView } from './ledger-view.ts'

/** What this ledger must take over so that it contains everything of commit `other`. */
export function decideJoin(view: LedgerView, other: string, subject: string): Decision<number> {
  const theirs = readChange(view.ws.repo, null, other)
  const mine = [...tasksInOrder(view.ws.state, view.row.lid)]
  const joined = renumber(
    joinTasks(
      mine,
      theirs.files.flatMap((file) => file.tasks),
    ),
  )
  const before = new Map(mine.map((task) => [task.uid, taskLine(task)]))
  const changed = joined.filter((task) => before.get(task.uid) !== taskLine(task))
  return {
    tasks: changed,
    subject,
    result: changed.length,
    joined: [other],
    artifacts: joinArtifacts(view, theirs),
    unreadable: theirs.files.flatMap((file) => file.unreadable.map(({ text }) => text)),
  }
}

/** Artifacts are united. Two texts under one name are both kept, and all clones agree on which one keeps the name. */
function joinArtifacts({ ws, row }: LedgerView, theirs: LedgerChange): Map<string, FileContent> {
  const mine = new Map(artifactsOf(ws.state, row.lid).map(({ path, blob }) => [path, blob]))
  const files = new Map<string, FileContent>()
  for (const { path, blob } of theirs.artifacts) {
    const own = mine.get(path)
    if (blob === null || own === blob) continue
    const [kept, other] = own === undefined || compareText(blob, own) > 0 ? [blob, own] : [own, blob]
    if (kept !== own) files.set(path, { blob: kept })
    if (other !== undefined) files.set(besideFile(path, other), { blob: other })
  }
  return files
}
