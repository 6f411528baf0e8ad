import { possibleActions, type TaskAction } from '../core/drawing/possible-actions.ts'
import type { Task } from '../core/task/task.ts'
import { landingVersion, queuedOf } from '../landing/progress/landing-version.ts'
import type { QueueItem } from '../landing/read-queue.ts'
import { entriesNeeding } from '../state/index/dependency-rows.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { versionOf } from '../workspace/expected-version.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { type DescribedCommit, describeCommits } from '../workspace/links/describe-commits.ts'
import { readLinkedLedger } from '../workspace/links/read-linked-ledger.ts'
import { type ShownTask, showTask } from '../workspace/views/show-task.ts'
import { nameOf } from '../workspace/views/task-status.ts'
import type { RelatedTask } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A task with all that one page shows of it. */
export interface TaskPage {
  task: ShownTask
  /** Actions name it: they are refused once the task has changed. */
  version: string
  /** Who wrote what, the oldest first. */
  notes: { at: string; by: string; text: string }[]
  /** The tasks that depend on it, and by which field. */
  needed_by: RelatedTask[]
  /** Parents before children. */
  commits: DescribedCommit[]
  /** Its place in the landing queue; null: nothing of it waits to land. */
  queued: QueuedTask | null
  actions: TaskAction[]
}

/** A landing names the version that was shown. */
interface QueuedTask extends QueueItem {
  version: string
  /** The last commit that would land; null: its branch is gone. */
  head: string | null
}

export async function readTaskPage(ws: Workspace, ref: string): Promise<TaskPage> {
  const task = await showTask(ws, ref)
  const view = readLinkedLedger(ws)
  const stored = findTask(view, task.id)
  const queued = await queuedTask(view, task)
  const has_review = task.phases.some(({ phase }) => phase === 'review') || hasReviewTask(view, stored)
  return {
    task,
    version: versionOf(view, task.uid),
    notes: stored.notes.flatMap(({ at, by, text, retracted }) => (retracted ? [] : [{ at, by, text }])),
    needed_by: neededBy(view, stored),
    commits: describeCommits(ws.repo, task.commits_in_order),
    queued,
    actions: possibleActions({ ...task, has_review, is_queued: queued !== null }),
  }
}

async function queuedTask(view: LedgerView, { status, branch, uid }: ShownTask): Promise<QueuedTask | null> {
  if (status !== 'completed' || branch === null) return null
  const found = queuedOf(view, await loadConfiguration(view.ws), { uid, branch })
  return found && { ...found.item, version: landingVersion(view, found), head: found.landable.tip }
}

function hasReviewTask({ ws, row }: LedgerView, { uid }: Task): boolean {
  return entriesNeeding(ws.state, row.lid, uid).some(({ type, status }) => type === 'review' && status === 'completed')
}

/** More than anybody reads. */
const MOST_NEEDED_BY = 200

function neededBy(view: LedgerView, { uid }: Task): RelatedTask[] {
  const { ws, row } = view
  const rows = entriesNeeding(ws.state, row.lid, uid).sort((a, b) => a.number - b.number)
  return rows.slice(0, MOST_NEEDED_BY).map((each) => {
    const task = taskOf(ws.state, row.lid, each.uid)
    return { ...nameOf(view, each), kind: kindOf(task, uid) }
  })
}

function kindOf(task: Task | null, uid: string): RelatedTask['kind'] {
  const ref = `task-${uid}` as const
  if (task?.based_on.includes(ref)) return 'based_on'
  return task?.after.includes(ref) ? 'after' : 'depends_on'
}
