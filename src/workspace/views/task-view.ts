import { refsIn, type WrittenTask } from '../../core/ledger/written-task.ts'
import type { ReviewView } from '../../core/run/review-cycles.ts'
import { type DerivedStatus, type Task, type TaskRef, titleOf, uidOf } from '../../core/task/task.ts'
import type { Entry, KnownEntry } from '../../state/index/index-tables.ts'
import { writtenTasksOfRows } from '../../state/index/read-tasks.ts'
import { artifactPathsOf, childIdsOf, entriesOf, idsOf } from '../../state/index/relations.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { derivedStatus, readBlockers, runningOn } from './task-status.ts'
import type { RelatedTask, RelationKind, TaskName, TaskView } from './views.ts'

/** The task as faces and `--json` show it. `known` has the rows of the task and of those that it names. */
export function viewTask(view: LedgerView, task: WrittenTask, known = knownEntries(view, [task])): TaskView {
  return viewSome(view, [task], known)[0] as TaskView
}

/** The same of many tasks. */
export function viewTasks(view: LedgerView, tasks: readonly Task[]): TaskView[] {
  return [...chunksOf(tasks)].flatMap((some) => viewSome(view, some, knownEntries(view, some)))
}

function viewSome(view: LedgerView, tasks: readonly WrittenTask[], known: KnownEntries): TaskView[] {
  const ids = new Map<string, string>()
  for (const { uid, id } of known.values()) ids.set(uid, id)
  const rows: ViewedRow[] = []
  for (const task of tasks) rows.push(known.get(task.uid) ?? unfiledRow(task))
  const around = readSurroundings(view, tasks, { rows, ids })
  const views: TaskView[] = []
  for (const task of tasks) views.push(viewOne(view, task, { row: rows[views.length] as ViewedRow, around }))
  return views
}

/** By uid. */
type KnownEntries = ReadonlyMap<string, KnownEntry>

/** Of these tasks, and of those that they name. */
export function knownEntries({ ws, row }: LedgerView, tasks: readonly WrittenTask[]): KnownEntries {
  const uids = namedUids(tasks)
  for (const { uid } of tasks) uids.add(uid)
  return entriesOf(ws.state, row.lid, [...uids])
}

/** The tasks of these rows, one after the other. They are read some at a time, so 100,000 are never in memory at once. */
export function* viewRows(view: LedgerView, rows: Iterable<ViewedRow>): Iterable<TaskView> {
  const ids = new Map<string, string>()
  // Of rows that are all there already, none is looked up: in groups a task and what it depends on are far apart.
  if (Array.isArray(rows)) for (const { uid, id } of rows as ViewedRow[]) ids.set(uid, id)
  for (const some of chunksOf(rows)) {
    const tasks = writtenTasksOfRows(view.ws.state, some)
    const around = readSurroundings(view, tasks, { rows: some, ids })
    // One view after the other: those that are printed already take no memory.
    for (const [at, row] of some.entries()) yield viewOne(view, tasks[at] as WrittenTask, { row, around })
  }
}

const AT_ONCE = 1000

function* chunksOf<T>(all: Iterable<T>): Iterable<T[]> {
  let some: T[] = []
  for (const each of all) {
    some.push(each)
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** What a view needs of a task's row. */
export type ViewedRow = Pick<
  Entry,
  'row' | 'uid' | 'id' | 'number' | 'status' | 'unmet' | 'open_runs' | 'asks' | 'archived'
>

/** Stands in for the index where a task has no place in the ledger yet, as in a dry run. */
function unfiledRow({ uid, id, number, status }: WrittenTask): ViewedRow {
  return { row: -1, uid, id, number, status, unmet: 0, open_runs: null, asks: 0, archived: 0 }
}

/** What views show of other tasks, and artifacts. */
interface Surroundings {
  /** By uid, of the tasks that the ledger holds. */
  ids: ReadonlyMap<string, string>
  /** Null: no task of the ledger has any. The same of artifacts. */
  children: ReadonlyMap<string, string[]> | null
  artifacts: ReadonlyMap<string, string[]> | null
  blockersOf: ReturnType<typeof readBlockers>
}

/** `ids` has what is known already, and gets what is read. */
function readSurroundings(
  view: LedgerView,
  tasks: readonly WrittenTask[],
  { rows, ids }: { rows: readonly ViewedRow[]; ids: Map<string, string> },
): Surroundings {
  const { state } = view.ws
  const { lid, has_parts, has_artifacts } = view.row
  const uids: string[] = []
  for (const { row, uid, id } of rows) {
    uids.push(uid)
    if (row >= 0) ids.set(uid, id)
  }
  const unknown: string[] = []
  for (const uid of namedUids(tasks)) if (!ids.has(uid)) unknown.push(uid)
  for (const [uid, id] of idsOf(state, lid, unknown)) ids.set(uid, id)
  return {
    ids,
    children: has_parts === 0 ? null : childIdsOf(state, lid, uids),
    artifacts: has_artifacts === 0 ? null : artifactPathsOf(state, lid, uids),
    blockersOf: readBlockers(view, rows),
  }
}

/** Of the tasks that these depend on or are parts of. */
export function namedUids(tasks: readonly WrittenTask[]): Set<string> {
  const uids = new Set<string>()
  for (const { after, depends_on = NONE, based_on = NONE, parent } of tasks) {
    for (const ref of refsIn(after)) uids.add(uidOf(ref))
    for (const ref of depends_on) uids.add(uidOf(ref))
    for (const ref of based_on) uids.add(uidOf(ref))
    if (parent !== undefined) uids.add(uidOf(parent))
  }
  return uids
}

function viewOne(
  view: LedgerView,
  task: WrittenTask,
  { row, around }: { row: ViewedRow; around: Surroundings },
): TaskView {
  const status = derivedStatus(view, row)
  const review = reviewOf(task, status)
  const after = shortIds(around, refsIn(task.after))
  const depends_on = shortIds(around, task.depends_on)
  const based_on = shortIds(around, task.based_on)
  return {
    id: row.id,
    content: task.content,
    status,
    created_at: task.created_at,
    created_by: task.created_by,
    after,
    closed_at: task.closed_at,
    closed_commit: task.closed_commit,
    notes: noteTexts(task),
    number: row.number,
    uid: task.uid,
    title: titleOf(task),
    type: task.type ?? 'task',
    priority: task.priority ?? 'medium',
    group: task.group ?? null,
    key: task.key ?? null,
    depends_on,
    based_on,
    parent: task.parent ? (shortIds(around, [task.parent])[0] ?? null) : null,
    children: around.children?.get(task.uid) ?? NONE,
    blocked_by: withKinds(around.blockersOf(row), { after, depends_on, based_on }),
    running_on: runningOn(view, row),
    branch: task.branch ?? null,
    plan_file: task.plan_file ?? null,
    project: task.project ?? null,
    assigned_agent: task.assigned_agent ?? null,
    milestone_id: task.milestone_id ?? null,
    linear_issue_id: task.linear_issue_id ?? null,
    user_story: task.user_story ?? null,
    estimated_complexity: task.estimated_complexity ?? null,
    acceptance_criteria: task.acceptance_criteria ?? NONE,
    files_to_create: task.files_to_create ?? NONE,
    files_to_modify: task.files_to_modify ?? NONE,
    test_files: task.test_files ?? NONE,
    locks: task.locks ?? NONE,
    create_review: task.create_review ?? false,
    same_branch: task.same_branch ?? false,
    auto_review: task.auto_review ?? false,
    max_review_cycles: review.of,
    review_cycle: review.cycle,
    final_verdict: review.verdict,
    max_attempts: task.max_attempts ?? null,
    attempts: task.runs?.length ?? 0,
    commits: task.commits ?? NONE,
    artifacts: around.artifacts?.get(task.uid) ?? NONE,
    runs: task.runs?.length ? history().runsOf(task.runs) : NONE,
    phases: task.phases?.length ? history().phasesOf(task.phases) : NONE,
    landings: task.landings?.length ? history().landingsOf(task.landings) : NONE,
    assignments: task.edits?.length ? history().assignmentsIn(task.edits) : NONE,
    archived: row.archived === 1,
    on_hold: task.on_hold ?? false,
    asks: row.asks === 1,
    question: row.asks === 1 ? history().questionOf(task) : null,
    ledger: view.ws.ledger,
  }
}

/** For what most tasks have none of: in a view of 10,000 tasks empty lists of their own took a third of the time. */
const NONE = Object.freeze([]) as unknown as never[]

function shortIds({ ids }: Surroundings, refs: readonly TaskRef[] = NONE): string[] {
  if (refs.length === 0) return NONE
  const short: string[] = []
  for (const ref of refs) short.push(ids.get(uidOf(ref)) ?? ref.slice(0, 17))
  return short
}

/** What a task waits for besides its dependencies are its failed children. */
function withKinds(blockers: TaskName[], dependencies: Dependencies): RelatedTask[] {
  if (blockers.length === 0) return NONE
  const related: RelatedTask[] = []
  for (const blocker of blockers)
    related.push({ ...blocker, kind: dependencyField(dependencies, blocker.id) ?? 'child' })
  return related
}

type Dependencies = Pick<TaskView, 'after' | 'depends_on' | 'based_on'>

/** The field in which a task names this dependency; the one that says most, if several do. */
export function dependencyField({ after, depends_on, based_on }: Dependencies, id: string): RelationKind | null {
  if (based_on.includes(id)) return 'based_on'
  if (after.includes(id)) return 'after'
  return depends_on.includes(id) ? 'depends_on' : null
}

function reviewOf(task: WrittenTask, status: DerivedStatus): ReviewView {
  if (task.runs?.length || task.phases?.length) return history().reviewOf(task, status)
  return { cycle: 0, of: task.max_review_cycles ?? null, verdict: task.final_verdict ?? null }
}

function noteTexts({ notes: all, edits }: WrittenTask): string[] {
  if (all.length === 0 && !edits?.length) return NONE
  const notes = all.filter((note) => !note.retracted).map((note) => note.text)
  return edits?.length ? [...notes, ...history().lostEditTexts(edits)] : notes
}

/** Loaded only for tasks with edits, runs or questions: it takes as long as the rest of `show`. */
function history(): typeof import('./history-view.ts') {
  return require('./history-view.ts')
}
