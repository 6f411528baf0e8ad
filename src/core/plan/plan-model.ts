/** A plan as the readers of markdown, JSON and YAML understand it, before anything of it is filed. */
import type { Editable, Priority, TaskType } from '../task/task.ts'

export interface Plan {
  title: string | null
  /** What stands before the first task. */
  description: string
  /** Of the whole, not of one task. */
  acceptance_criteria: string[]
  milestones: PlannedMilestone[]
  tasks: PlannedTask[]
  /** With one of these nothing is imported. */
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
  /** `given`: the plan says it. `numbered`: made from a number, which changes as steps are put in. `counted`: ours. */
  keyKind: 'given' | 'numbered' | 'counted'
  parent: string | null
  milestone: string | null
  done: boolean
  /** It was given up, which counts as finished. */
  skipped: boolean
  dependencies: PlannedDependency[]
  /** Tasks that the plan does not hold, by the names it gives them. */
  outside: OutsideName[]
  line: number
}

/** What of a task the plan says and the ledger keeps as it is. */
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
}

/** `isSure`: it can only be meant as a task's name. */
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
  /** The plan names the task as well. */
  isSaid?: true
}

export interface PlanRemark {
  line: number
  column?: number
  why: string
  /** Tasks wait for each other. */
  isLoop?: true
}

/** A task while it is read: names are not yet keys, and who waits for whom is still text. */
export interface RawTask extends Omit<PlannedFields, 'content'> {
  body: string
  name: { kind: 'given'; key: string } | { kind: 'numbered'; number: string; letter: string } | { kind: 'counted' }
  /** Places in the lists of raw tasks and milestones. */
  parent: number | null
  milestone: number | null
  /** A milestone that a field of the task names. */
  milestoneName?: PlanRemark
  done: boolean
  skipped?: boolean
  waitsFor: WaitText[]
  /** Its number among the tasks of one heading, where each heading counts anew. */
  local?: { heading: number; number: string }
  line: number
  column?: number
}

export interface WaitText {
  text: string
  /** It can only be a task's name: in JSON and YAML. */
  isKey?: true
  line: number
  column?: number
}

/** A sentence beside the tasks that says who waits for whom: each step of the chain waits for the one before it. */
export interface ToldOrder {
  line: number
  text: string
  /** Empty where it is not understood. */
  chain: string[]
  /** Below "Dependencies" and the like: what is not understood there is warned of. */
  isMeant: boolean
}

export interface RawMilestone extends PlannedMilestone {
  waitsFor: WaitText[]
}

export interface RawPlan {
  title: string | null
  description: string
  acceptance_criteria: string[]
  milestones: RawMilestone[]
  tasks: RawTask[]
  orders?: ToldOrder[]
  problems: PlanRemark[]
  warnings: PlanRemark[]
}
