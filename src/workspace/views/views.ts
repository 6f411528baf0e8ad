import type { DerivedStatus, Priority, TaskType, Verdict } from '../../core/task/task.ts'
import type { LandingView, PhaseView, RunView } from './fact-views.ts'

/** Another task, with the fields that a face needs to name it. */
export interface TaskName {
  number: number
  id: string
  title: string
  status: DerivedStatus
}

/** How one task depends on another: the field that names it, or their place in the tree. */
export type RelationKind = 'after' | 'depends_on' | 'based_on' | 'parent' | 'child'

export interface RelatedTask extends TaskName {
  kind: RelationKind
}

/** What a line of a list shows of a task: it is in the index, so the whole task need not be read. */
export type ListedTask = WaitingTask & Pick<TaskView, 'key' | 'running_on' | 'on_hold' | 'asks' | 'ledger'>

/** What a row of `gza status` shows. */
export type StatusTask = WaitingTask &
  Pick<TaskView, 'key' | 'type' | 'running_on' | 'on_hold' | 'asks' | 'closed_at'> &
  Pick<TaskView, 'review_cycle' | 'max_review_cycles' | 'final_verdict'>

interface WaitingTask extends TaskName {
  blocked_by: TaskName[]
}

/** A task as faces show it, and as `--json` prints it (docs/json.md). */
export interface TaskView {
  id: string
  content: string
  status: DerivedStatus
  created_at: string
  created_by: string
  /** Ids, as in `depends_on` and `based_on`. `git tasks` prints it as null, one id, or a list. */
  after: string[]
  closed_at: string | null
  closed_commit: string | null
  notes: string[]
  number: number
  uid: string
  title: string
  type: TaskType
  priority: Priority
  group: string | null
  key: string | null
  depends_on: string[]
  based_on: string[]
  parent: string | null
  children: string[]
  /** The unfinished dependencies and the failed children; empty unless the task is open. */
  blocked_by: RelatedTask[]
  /** The host of a run that another clone started and has not ended. */
  running_on: string | null
  branch: string | null
  plan_file: string | null
  project: string | null
  assigned_agent: string | null
  milestone_id: string | null
  linear_issue_id: string | null
  user_story: string | null
  /** As stated; `gza score` shows the calculated one. */
  estimated_complexity: 'low' | 'medium' | 'high' | null
  acceptance_criteria: string[]
  files_to_create: string[]
  files_to_modify: string[]
  test_files: string[]
  locks: string[]
  create_review: boolean
  same_branch: boolean
  auto_review: boolean
  max_review_cycles: number | null
  review_cycle: number
  final_verdict: Verdict | null
  max_attempts: number | null
  attempts: number
  commits: string[]
  artifacts: string[]
  runs: RunView[]
  /** The finished phases of its review cycles. */
  phases: PhaseView[]
  /** The attempts to bring its work into the base. */
  landings: LandingView[]
  /** The agents that the task was assigned to after it was filed, and by whom; null: it was unassigned from then on. */
  assignments: { at: string; by: string; agent: string | null }[]
  /** Archived by a person, and in no list unless it shows all. */
  archived: boolean
  /** Its workflow was aborted: it waits until a person resumes it. */
  on_hold: boolean
  /** An agent has asked a person, and nobody has answered. */
  asks: boolean
  question: { at: string; by: string; text: string } | null
  ledger: string
}
