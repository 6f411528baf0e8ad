import type { Applied } from './apply-sync.ts'
import type { Remote, SyncPlan } from './sync-plan.ts'
import type { SyncTask } from './sync-task.ts'

export interface LinearRow {
  id: string
  number: number
  title: string
  /** ENG-12; null if the issue does not exist yet. */
  issue: string | null
  url: string | null
  /** What happened or would happen: created, updated with what, or the task's new status. */
  detail: string
}

export interface LinearReport {
  team: string
  dry_run: boolean
  created: LinearRow[]
  updated: LinearRow[]
  /** Tasks that follow their issue. */
  pulled: LinearRow[]
  labels: string[]
  projects: string[]
  milestones: string[]
  relations: number
  /** Tasks that were left unchanged, and why. */
  left: LinearRow[]
  failed: { id: string | null; what: string; detail: string }[]
}

type Done = Applied & { taken: ReadonlySet<string> }

/** What was done, or for a plan alone, what would be done. */
export function reportSync(plan: SyncPlan, { team }: Remote, done: Done | null): LinearReport {
  const isDone = (uid: string, those: { has(uid: string): boolean } | undefined) => done === null || those?.has(uid)
  return {
    team: team.key,
    dry_run: done === null,
    created: plan.creates
      .filter(({ task }) => isDone(task.uid, done?.created))
      .map(({ task }) => row(task, done?.created.get(task.uid) ?? null, 'created')),
    updated: plan.updates
      .filter(({ task }) => isDone(task.uid, done?.updated))
      .map(({ task, issue, what }) => row(task, issue, what.join(', '))),
    pulled: plan.pulls
      .filter(({ task }) => isDone(task.uid, done?.taken))
      .map(({ task, issue, to }) => row(task, issue, to)),
    labels: plan.labels.map(({ name }) => name),
    projects: plan.projects.map(({ name }) => name),
    milestones: plan.milestones.map(({ name }) => name),
    relations: done?.related ?? plan.relations.length,
    left: plan.remarks.map(({ task, why }) => row(task, null, why)),
    failed: (done?.failed ?? []).map(({ task, what, why }) => ({ id: task?.id ?? null, what, detail: why })),
  }
}

function row(
  { id, number, title }: SyncTask,
  issue: { identifier: string; url: string } | null,
  detail: string,
): LinearRow {
  return { id, number, title, issue: issue?.identifier ?? null, url: issue?.url ?? null, detail }
}
