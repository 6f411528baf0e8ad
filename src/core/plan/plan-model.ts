/** A plan as read from markdown, JSON or YAML, before any of it is filed. */
import type { Editable, Priority, TaskType } from '../task/task.ts'

export interface Plan {
  title: string | null
  /** The text before the first task. */
  description: string
  /** The criteria of the whole plan, not of one task. */
  acceptance_criteria: string[]
  milestones: PlannedMilestone[]
  tasks: PlannedTask[]
  /** If there is one of these, nothing is imported. */
  problems: PlanRemark[]
  warnings: PlanRemark[]
}

export interface PlannedMilestone {
  id: string
  name: string
  description: string
  line: number
}

export interface PlannedTask extends PlannedFields {
  key: string
  /**
   * `given`: in the plan. `numbered`: made from a number, which changes when steps are inserted. `counted`: generated.
   */
  keyKind: 'given' | 'numbered' | 'counted'
  parent: string | null
  milestone: string | null
  done: boolean
  /** It was given up, which counts as finished. */
  skipped: boolean
  dependencies: PlannedDependency[]
  /** Tasks that are not in the plan, by the names it uses for them. */
  outside: OutsideName[]
  line: number
}

/** The fields of a task that the plan contains and the ledger keeps unchanged. */
export interface PlannedFields {
  title: string
  content: string
  user_story?: string
  acceptance_criteria: string[]
  files_to_create: string[]
  files_to_modify: string[]
  test_files: string[]
  priority?: Priority
  estimated_complexity?: NonNullable<Editable['estimated_complexity']>
  type?: TaskType
  max_attempts?: number
  linear_issue_id?: string
  locks?: string[]
}

/** `isSure`: it can only be the name of a task. */
export interface OutsideName {
  name: string
  isSure: boolean
  line: number
  column?: number
}

export interface PlannedDependency {
  key: string
  kind: 'explicit' | 'file'
  /** The file that the other task creates. */
  file?: string
  /** The plan also names the task. */
  isStated?: true
}

export interface PlanRemark {
  line: number
  column?: number
  why: string
  /** Tasks wait for each other. */
  isCycle?: true
}

/** A task while it is being read: names are not yet keys, and dependencies are still text. */
export interface RawTask extends Omit<PlannedFields, 'content'> {
  body: string
  name: { kind: 'given'; key: string } | { kind: 'numbered'; number: string; letter: string } | { kind: 'counted' }
  /** Indices into the lists of raw tasks and milestones. */
  parent: number | null
  milestone: number | null
  /** A milestone that a field of the task names. */
  milestoneName?: PlanRemark
  done: boolean
  skipped?: boolean
  waitsFor: DependencyText[]
  /** Its number among the tasks of one heading, if the numbers restart at each heading. */
  local?: { heading: number; number: string }
  line: number
  column?: number
}

export interface DependencyText {
  text: string
  /** It can only be the name of a task: in JSON and YAML. */
  isKey?: true
  line: number
  column?: number
}

/** A sentence beside the tasks about their order: each step of the chain depends on the one before it. */
export interface StatedOrder {
  line: number
  text: string
  /** Empty if it is not understood. */
  chain: string[]
  /** Below "Dependencies" or a similar heading, where a sentence that is not understood causes a warning. */
  isMeant: boolean
}

export interface RawMilestone extends PlannedMilestone {
  waitsFor: DependencyText[]
}

export interface RawPlan {
  title: string | null
  description: string
  acceptance_criteria: string[]
  milestones: RawMilestone[]
  tasks: RawTask[]
  orders?: StatedOrder[]
  problems: PlanRemark[]
  warnings: PlanRemark[]
}
