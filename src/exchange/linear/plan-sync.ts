/** From tasks and issues to the steps that bring both into agreement. Nothing is requested or changed here. */
import { isFinished } from '../../core/task/status-predicates.ts'
import { decideStatus, stateFor } from './decide-status.ts'
import { deriveId } from './derive-id.ts'
import { leaveOpenIssues } from './leave-open-issues.ts'
import type { Issue, Team } from './read-linear.ts'
import type { Remote, SyncPlan } from './sync-plan.ts'
import type { Remembered, SyncMemory, SyncTask } from './sync-task.ts'
import { type Fields, openFields } from './write-fields.ts'

/** The id of the issue that a task has or would get. */
export function expectedId(task: SyncTask): string {
  return task.linearId ?? deriveId('issue', task.uid)
}

export function planSync(tasks: readonly SyncTask[], remote: Remote, memory: SyncMemory): SyncPlan {
  const plan: SyncPlan = {
    ...{ labels: [], projects: [], milestones: [], creates: [], updates: [], relations: [], pulls: [], remarks: [] },
    ...{ issueIds: new Map(), memory: new Map() },
  }
  const { found, left } = matchIssues(tasks, remote, plan)
  const isFresh = ({ uid }: SyncTask) => !found.has(uid) && !left.has(uid)
  const fresh = tasks.filter((task) => isFresh(task) && !isFinished(task))
  for (const [uid, issue] of found) plan.issueIds.set(uid, issue.id)
  for (const task of fresh) plan.issueIds.set(task.uid, expectedId(task))
  const fields = openFields(remote, plan)
  for (const task of parentsFirst(fresh)) planCreate(plan, fields, task)
  for (const task of tasks) {
    const issue = found.get(task.uid)
    if (issue) planUpdate({ plan, fields, task, issue, last: memory.get(task.uid) ?? null })
  }
  leaveOpenIssues(plan, tasks, memory)
  const byUid = new Map(tasks.map((task) => [task.uid, task]))
  for (const task of tasks) planRelations(plan, task, found.get(task.uid)?.blockers ?? [], byUid)
  return plan
}

interface Matched {
  found: Map<string, Issue>
  /** Tasks whose issue gza must not touch: they get no other one either. */
  left: Set<string>
}

function matchIssues(tasks: readonly SyncTask[], { issues, team }: Remote, plan: SyncPlan): Matched {
  const byName = new Map(issues.flatMap((issue) => [issue.id, issue.identifier].map((name) => [name, issue])))
  const matched: Matched = { found: new Map(), left: new Set() }
  const owners = new Map<string, SyncTask>()
  for (const task of tasks) {
    const issue = byName.get(expectedId(task))
    const missing = task.linearId === null ? null : `${task.linearId} is not in Linear`
    const why = issue ? (whyLeft(issue, team) ?? whyTaken(issue, owners.get(issue.id))) : missing
    if (why !== null) {
      plan.remarks.push({ task, why })
      matched.left.add(task.uid)
    } else if (issue) {
      matched.found.set(task.uid, issue)
      owners.set(issue.id, task)
    }
  }
  return matched
}

function whyLeft(issue: Issue, team: Team): string | null {
  if (issue.isPutAway) return `${issue.identifier} is archived or in the trash`
  return issue.teamId === team.id ? null : `${issue.identifier} belongs to another team`
}

/** Two tasks with the same issue would overwrite each other, and the end of one would end the other. */
function whyTaken({ identifier }: Issue, owner: SyncTask | undefined): string | null {
  return owner === undefined ? null : `${identifier} is already the issue of #${owner.number}`
}

function planCreate(plan: SyncPlan, fields: Fields, task: SyncTask): void {
  const { input, labelIds, sent } = fields.of(task)
  const state = fields.state(stateFor(task.status))
  plan.creates.push({
    task,
    input: {
      id: expectedId(task),
      teamId: fields.teamId,
      ...input,
      ...(labelIds.length > 0 && { labelIds }),
      ...(state && { stateId: state.id }),
    },
  })
  plan.memory.set(task.uid, { ours: task.status, theirs: state?.type ?? 'unstarted', sent })
}

interface Updating {
  plan: SyncPlan
  fields: Fields
  task: SyncTask
  issue: Issue
  last: Remembered | null
}

/** Fields are sent only if they changed here since they were last sent: what people write in Linear stays. */
function planUpdate({ plan, fields, task, issue, last }: Updating): void {
  const { input, labelIds, sent } = fields.of(task)
  const isChanged = last !== null && last.sent !== sent
  const step = decideStatus(task.status, issue.state.type, last)
  const state = step.kind === 'push' ? fields.state(step.to) : undefined
  const what = [...(isChanged ? ['fields'] : []), ...(state ? [`state ${state.name}`] : [])]
  if (what.length > 0)
    plan.updates.push({
      ...{ task, issue, what },
      input: {
        ...(isChanged && { ...input, ...(labelIds.length > 0 && { addedLabelIds: labelIds }) }),
        ...(state && { stateId: state.id }),
      },
    })
  if (step.kind === 'pull') plan.pulls.push({ task, issue, to: step.to })
  const ours = step.kind === 'pull' ? step.to : task.status
  plan.memory.set(task.uid, { ours, theirs: state?.type ?? issue.state.type, sent })
}

/** A task's dependencies block its issue. */
function planRelations(
  plan: SyncPlan,
  task: SyncTask,
  blockers: readonly string[],
  byUid: ReadonlyMap<string, SyncTask>,
): void {
  const own = plan.issueIds.get(task.uid)
  if (own === undefined) return
  for (const uid of task.dependencies) {
    const issueId = plan.issueIds.get(uid)
    const on = byUid.get(uid)
    if (issueId === undefined || on === undefined || blockers.includes(issueId)) continue
    const id = deriveId('relation', issueId, own)
    plan.relations.push({ task, on, input: { id, issueId, relatedIssueId: own, type: 'blocks' } })
  }
}

/** A child names its parent's issue, which must exist by then. */
function parentsFirst(tasks: readonly SyncTask[]): SyncTask[] {
  const byUid = new Map(tasks.map((task) => [task.uid, task]))
  const ordered = new Set<SyncTask>()
  for (const task of tasks) {
    const line: SyncTask[] = []
    for (let next: SyncTask | undefined = task; next && !ordered.has(next) && !line.includes(next); ) {
      line.push(next)
      next = next.parent === null ? undefined : byUid.get(next.parent)
    }
    for (const member of line.reverse()) ordered.add(member)
  }
  return [...ordered]
}
