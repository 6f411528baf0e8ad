import type { Issue, Label, Project, Team } from './read-linear.ts'
import type { Remembered, SyncTask } from './sync-task.ts'

export interface Remote {
  team: Team
  /** The labels of the team and of the workspace. */
  labels: Label[]
  issues: Issue[]
  projects: Project[]
}

export type Input = Record<string, unknown>

/** One request, with its description. */
export interface Step {
  task: SyncTask
  input: Input
}

export interface SyncPlan {
  labels: { name: string; input: Input }[]
  projects: { name: string; input: Input }[]
  milestones: { name: string; input: Input }[]
  creates: Step[]
  updates: (Step & { issue: Issue; what: string[] })[]
  relations: (Step & { on: SyncTask })[]
  pulls: { task: SyncTask; issue: Issue; to: 'completed' | 'skipped' | 'pending' }[]
  /** The issues that tasks have, or will have. */
  issueIds: Map<string, string>
  remarks: { task: SyncTask; why: string }[]
  /** What to remember about each task after its steps are done. */
  memory: Map<string, Remembered>
}
