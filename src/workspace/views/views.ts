import type { DerivedStatus, LandAttempt, Phase, Priority, Run, TaskType, Verdict } from '../../core/task/task.ts'

/** Another task, with the fields that a face needs to name it. */
export interface TaskName {
  number: number
  id: string
  title: string
  status: DerivedStatus
}

/** What a line of a list shows of a task: it is in the index, so the whole task need not be read. */
export type ListedTask = TaskName & Pick<TaskView, 'key' | 'blocked_by' | 'running_on' | 'on_hold' | 'asks' | 'ledger'>

/** What a row of `gza status` shows. */
export type StatusTask = TaskName &
  Pick<TaskView, 'key' | 'type' | 'blocked_by' | 'running_on' | 'on_hold' | 'asks' | 'closed_at'> &
  Pick<TaskView, 'review_cycle' | 'max_review_cycles' | 'final_verdict'>

/** A task as faces show it, and as `--json` prints it. The shape is public: fields are added, never renamed. */
export interface TaskView {
  id: string
  content: string
  status: DerivedStatus
  created_at: string
  created_by: string
  /** null, one id, or a list. */
  after: string | string[] | null
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
  /** The unfinished dependencies; empty unless the task is open. */
  blocked_by: TaskName[]
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
  runs: Run[]
  /** The finished phases of its review cycles. */
  phases: Phase[]
  /** The attempts to bring its work into the base. */
  landings: LandAttempt[]
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
