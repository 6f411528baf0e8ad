import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { editTask } from '../core/task/operations.ts'
import { isFinished, isOpen } from '../core/task/status-predicates.ts'
import type { Task } from '../core/task/task.ts'
import { plural } from '../core/text/plural.ts'
import { UserError } from '../core/user-error.ts'
import { isoSeconds } from '../platform/clock.ts'
import { childrenOf } from '../state/index/family-entries.ts'
import type { Entry } from '../state/index/index-tables.ts'
import { archivedEntries, finishedBefore } from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTasks, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { derivedStatus } from '../workspace/views/task-status.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface ArchiveOptions {
  /** These tasks, each with all its parts. */
  refs?: readonly string[]
  /** All tasks that were finished at least this many days ago. */
  olderThanDays?: number
  /** Restore them instead. */
  restore?: boolean
  dryRun?: boolean
}

/**
 * Removes finished tasks from the lists. The ledger keeps them, their dependents are not affected, and they can be
 * restored.
 */
export function archiveTasks(ws: Workspace, options: ArchiveOptions): TaskView[] {
  assertAllowed('archive', ws.actor)
  const archived = options.restore ? null : true
  const changed = changeLedger(ws, (view) => {
    const rows = options.restore ? rowsToRestore(view, options) : rowsToArchive(view, options)
    const authorship = { at: ws.now(), by: ws.actor.name }
    const tasks = rows
      .flatMap(({ uid }) => taskOf(ws.state, view.row.lid, uid) ?? [])
      .map((task) => editTask(task, { archived }, authorship))
    return { tasks: options.dryRun ? [] : tasks, subject: subjectOf(tasks, options), result: tasks }
  })
  return viewChanged(ws, changed)
}

const NAMED_AT_MOST = 10

function subjectOf(tasks: readonly Task[], { restore }: ArchiveOptions): string {
  const verb = restore ? 'restore' : 'archive'
  if (tasks.length > NAMED_AT_MOST) return `${verb} ${plural(tasks.length, 'task')}`
  return `${verb} ${tasks.map(({ id }) => id).join(' ')}`
}

function rowsToArchive(view: LedgerView, { refs = [], olderThanDays = 0 }: ArchiveOptions): Entry[] {
  if (refs.length > 0) return namedFamilies(view, refs).filter(({ archived }) => archived === 0)
  // Whole seconds, as the ledger writes them, because they are compared as texts.
  const latest = isoSeconds(Date.parse(view.ws.now()) - olderThanDays * 86_400_000)
  return finishedBefore(view.ws.state, view.row.lid, latest).filter(
    (row) => !isPartOfOpen(view, row) && openPart(familyOf(view, row)) === undefined,
  )
}

/** A tree stays complete as long as something in it is open. */
function isPartOfOpen(view: LedgerView, row: Entry): boolean {
  const seen = new Set([row.uid])
  for (let uid = row.parent; uid !== null && !seen.has(uid); ) {
    seen.add(uid)
    const parent = entry(view, uid)
    if (parent === undefined) return false
    if (isOpen(parent)) return true
    uid = parent.parent
  }
  return false
}

function namedFamilies(view: LedgerView, refs: readonly string[]): Entry[] {
  const named = findTasks(view, refs).flatMap(({ uid }) => entry(view, uid) ?? [])
  const families = named.flatMap((row) => familyOf(view, row))
  const open = openPart(families)
  if (open !== undefined)
    throw new UserError('TASK_OPEN', `Task #${open.number} is ${derivedStatus(view, open)}, not finished`, {
      hint: sentence`${command`done ${open.number}`}, or ${command`resolve ${open.number} --skip`}`,
    })
  return [...new Map(families.map((row) => [row.uid, row])).values()]
}

/** The task and all its parts, without tombstones. */
function familyOf(view: LedgerView, root: Entry): Entry[] {
  const family = new Map([[root.uid, root]])
  for (const { uid } of family.values()) {
    const parts = childrenOf(view.ws.state, view.row.lid, uid)
    for (const part of parts) if (!family.has(part.uid)) family.set(part.uid, part)
  }
  return [...family.values()]
}

function openPart(rows: readonly Entry[]): Entry | undefined {
  return rows.find((row) => !isFinished(row))
}

function rowsToRestore(view: LedgerView, { refs = [] }: ArchiveOptions): Entry[] {
  if (refs.length === 0) return archivedEntries(view.ws.state, view.row.lid)
  const named = findTasks(view, refs).flatMap(({ uid }) => entry(view, uid) ?? [])
  return named.flatMap((row) => familyOf(view, row)).filter((row) => row.archived === 1)
}
