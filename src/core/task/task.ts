import { firstLine } from '../text/first-line.ts'
/**
 * The task as the rest of gza sees it: the ledger's own field names, parsed once at the border.
 *
 * A task is what it was filed with (immutable) plus facts that only grow: notes, edits, runs, links. Two copies of one
 * task join into one (join-tasks.ts) without a common ancestor, so every fact here must be part of a total order or a
 * set.
 */
export const STATUSES = ['pending', 'completed', 'failed', 'skipped'] as const
export type Status = (typeof STATUSES)[number]

/** What people and faces see: the stored status, refined by leases, runs and dependencies. */
export const DERIVED_STATUSES = ['pending', 'blocked', 'in_progress', 'failed', 'completed', 'skipped'] as const
export type DerivedStatus = (typeof DERIVED_STATUSES)[number]

export const TASK_TYPES = ['task', 'explore', 'plan', 'implement', 'review', 'improve'] as const
export type TaskType = (typeof TASK_TYPES)[number]

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export const VERDICTS = ['APPROVED', 'CHANGES_REQUESTED', 'MAX_CYCLES_REACHED', 'NEEDS_DISCUSSION'] as const
export type Verdict = (typeof VERDICTS)[number]
/** The verdicts that a reviewer can give; the others are derived. */
export type ReviewerVerdict = Exclude<Verdict, 'MAX_CYCLES_REACHED'>

/** More than any ledger needs, and far below the limit of exact numbers. */
export const LAST_NUMBER = 1_000_000_000

/** The digits of the shortest ids. */
export const SHORTEST_ID = 4

export type Mode = 'human' | 'agent'

/** `id` is `<n>-<random>`: n orders the notes of one writer, the random part keeps two writers' notes apart. */
export interface Note {
  id: string
  at: string
  by: string
  text: string
  retracted?: true
  /** What a later release adds is kept. */
  [later: string]: unknown
}

/** One value that a person gave a field after creation. The greatest (n, by, value) wins. */
export interface Edit {
  field: EditableField
  n: number
  at: string
  by: string
  value: unknown
  /** For a verdict: the commit that it is about. For a hold: `moved`, if a move set it. */
  head?: string
}

/** One attempt at a task. Without `ended_at` it is still running somewhere, or its worker died. */
export interface Run {
  run: string
  attempt: number
  /** The host's name, only for display. */
  machine: string
  /** The clone that started it; absent in runs of older versions. */
  clone?: string
  started_at: string
  /** Of an agent that gza did not start. */
  claimed?: boolean
  /** When a claim expires, as far as other clones know. It only grows. */
  until?: string
  /** The claims of other clones that had expired when this run took the task. They are not ended here. */
  expired_claims?: string[]
  ended_at?: string
  outcome?: string
  reason?: string
  head?: string
  [fact: string]: unknown
}

/** A phase of a run that ended well: a later run of the task need not repeat it. Never changed. */
export interface Phase {
  run: string
  generation: number
  phase: 'implement' | 'review' | 'improve'
  /** 0 for the implementation; the improve phase after review N has the cycle N. */
  cycle: number
  at: string
  /** The commit that was made or judged. */
  head: string
  verdict?: ReviewerVerdict
  /** The first blocker of a review, in one line. */
  summary?: string
  /** The path of a review's text in the ledger. */
  artifact?: string
  [fact: string]: unknown
}

/** One attempt to bring a task's work into the base, and its outcome. Never changed. */
export interface LandAttempt {
  id: string
  generation: number
  /** Counts the attempts of a task: several may have the same second. */
  n?: number
  at: string
  by: string
  /** The branch, without `refs/heads/`. */
  base: string
  /** The tip of the task's branch at that time. */
  head: string
  outcome: 'landed' | 'conflict' | 'red'
  /** How it was applied: cherry-pick, merge or squash. */
  method: string
  /** Landed: the commits in the base that contain the work, oldest first. */
  commits?: string[]
  detail?: string
  [fact: string]: unknown
}

/** References to other tasks are full ids: `task-` and the 40 digits of the uid. */
export type TaskRef = `task-${string}`

/** The fields that a person may set at creation and edit later. Unset ones are absent from the ledger's line. */
export interface Editable {
  content: string
  type: TaskType
  priority: Priority
  after: TaskRef[]
  depends_on: TaskRef[]
  based_on: TaskRef[]
  parent?: TaskRef
  key?: string
  title?: string
  group?: string
  create_review?: boolean
  same_branch?: boolean
  branch?: string
  user_story?: string
  acceptance_criteria?: string[]
  files_to_create?: string[]
  files_to_modify?: string[]
  test_files?: string[]
  /** Resources that only one task at a time may use. */
  locks?: string[]
  milestone_id?: string
  estimated_complexity?: 'low' | 'medium' | 'high'
  max_attempts?: number
  linear_issue_id?: string
  auto_review?: boolean
  max_review_cycles?: number
  final_verdict?: Verdict
  plan_file?: string
  project?: string
  assigned_agent?: string
  /**
   * The item of a backlog file that it was taken up from, as it was then: file, heading, item before, item after, text.
   */
  todo_item?: string[]
  /** Its workflow was aborted: it waits until a person resumes it. */
  on_hold?: boolean
  /** Archived by a person: while it is finished, lists leave it out unless they show all. */
  archived?: boolean
  /** A tombstone: the task stays in the ledger, and every list leaves it out. */
  deleted?: boolean
  /** The ledger in which the task is visible, if it ever moved to another (move.ts). */
  moved_to?: string
}
export type EditableField = keyof Editable

export interface Task extends Editable {
  /** `task-a3f8`: an abbreviation of the uid that is unique in its ledger. */
  id: string
  /** 40 hex digits over content, time, author and salt: the identity. */
  uid: string
  salt: string
  /** The short number given at creation. */
  number: number
  /** Numbers given later, because a merge showed that another, earlier task has the same one. */
  renumbered: number[]
  /** The content at creation, kept once an edit has changed `content`: the uid is computed over it. */
  original?: string
  created_at: string
  created_by: string
  /** HEAD at creation: commits after it may be the task's work. */
  created_head?: string

  /** Reset and retry raise it; (generation, rank of status) decides when two copies meet. */
  generation: number
  status: Status
  closed_at: string | null
  closed_by?: string
  closed_commit: string | null
  /** Raised each time closed_commit moves to another commit, as after an amend. */
  link: number
  /**
   * HEAD and branch when the task was closed without a commit: the next commit there closes it. The branch stays when
   * that commit is linked. It is `HEAD` if no branch was checked out.
   */
  closed_head?: string
  closed_branch?: string
  /** Every commit ever linked. */
  commits: string[]

  notes: Note[]
  edits: Edit[]
  runs: Run[]
  phases: Phase[]
  landings: LandAttempt[]
  /** Fields of the same format written by a later release: kept unchanged. */
  extra?: Record<string, unknown>
}

export function refOf(task: { uid: string }): TaskRef {
  return `task-${task.uid}`
}

export function uidOf(ref: TaskRef): string {
  return ref.slice('task-'.length)
}

/** The one line that represents the task in lists. */
export function titleOf(task: { title?: string; content: string }): string {
  return task.title ?? firstLine(task.content)
}

/** Everything that must be finished before the task can start, each once. */
export function dependenciesOf(task: Pick<Task, 'after' | 'depends_on' | 'based_on'>): TaskRef[] {
  return [...new Set([...task.after, ...task.depends_on, ...task.based_on])]
}
