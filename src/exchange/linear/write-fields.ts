import { createHash } from 'node:crypto'
import { canonical } from '../../core/ledger/canonical.ts'
import type { Priority } from '../../core/task/task.ts'
import type { StateType } from './decide-status.ts'
import { deriveId } from './derive-id.ts'
import type { Team } from './read-linear.ts'
import type { Input, Remote, SyncPlan } from './sync-plan.ts'
import type { SyncTask } from './sync-task.ts'

/** Converts a task's fields to Linear's. */
export interface Fields {
  teamId: string
  of(task: SyncTask): { input: Input; labelIds: string[]; sent: string }
  /** The team's first state of that kind, or of the nearest kind that it has. */
  state(type: StateType): Team['states'][number] | undefined
}

/** Labels, projects and milestones that a task needs and Linear lacks are added to the plan on the way. */
export function openFields(remote: Remote, plan: SyncPlan): Fields {
  const { team } = remote
  const labelOf = openLabels(remote, plan)
  const placeOf = openProjects(remote, plan)
  return {
    teamId: team.id,
    state: (type) => findState(team, type),
    of: (task) => {
      const parentId = task.parent === null ? undefined : plan.issueIds.get(task.parent)
      const input = {
        title: task.title,
        description: task.description,
        priority: PRIORITIES[task.priority],
        ...estimateOf(team, task),
        ...(parentId !== undefined && { parentId }),
        ...placeOf(task),
      }
      const digest = createHash('sha256').update(canonical({ ...input, labels: task.labels }))
      return { input, labelIds: task.labels.map(labelOf), sent: digest.digest('hex').slice(0, 16) }
    },
  }
}

export function projectIdOf(teamId: string, key: string): string {
  return deriveId('project', teamId, key)
}

const PRIORITIES: Record<Priority, number> = { critical: 1, high: 2, medium: 3, low: 4 }
const ESTIMATES = { low: 1, medium: 2, high: 3 }

function findState({ states }: Team, type: StateType): Team['states'][number] | undefined {
  const kinds: StateType[] = type === 'unstarted' ? ['unstarted', 'backlog', 'triage'] : [type]
  const ordered = states.toSorted((a, b) => a.position - b.position)
  return kinds.flatMap((kind) => ordered.find((state) => state.type === kind) ?? [])[0]
}

/** Teams that estimate in powers of two have no three. */
function estimateOf({ issueEstimationType: kind }: Team, { estimate }: SyncTask): { estimate?: number } {
  if (estimate === null || kind === 'notUsed') return {}
  return { estimate: kind === 'exponential' && estimate === 'high' ? 4 : ESTIMATES[estimate] }
}

function openLabels({ team, labels }: Remote, plan: SyncPlan): (name: string) => string {
  const known = new Map(labels.map(({ id, name }) => [name.toLowerCase(), id]))
  return (name) => {
    const found = known.get(name.toLowerCase())
    if (found !== undefined) return found
    const id = deriveId('label', team.id, name.toLowerCase())
    known.set(name.toLowerCase(), id)
    plan.labels.push({ name, input: { id, name, teamId: team.id } })
    return id
  }
}

type Place = { projectId?: string; projectMilestoneId?: string }

function openProjects({ team, projects }: Remote, plan: SyncPlan): (task: SyncTask) => Place {
  const known = new Map(projects.map(({ id, milestones }) => [id, new Set(milestones)]))
  return ({ project, milestone }) => {
    if (project === null) return {}
    const projectId = projectIdOf(team.id, project.key)
    const milestones = known.get(projectId) ?? new Set()
    if (!known.has(projectId)) {
      known.set(projectId, milestones)
      plan.projects.push({ name: project.name, input: { id: projectId, name: project.name, teamIds: [team.id] } })
    }
    if (milestone === null) return { projectId }
    const id = deriveId('milestone', projectId, milestone.id)
    if (!milestones.has(id)) {
      milestones.add(id)
      const { name, description, place: sortOrder } = milestone
      plan.milestones.push({ name, input: { id, projectId, name, description, sortOrder } })
    }
    return { projectId, projectMilestoneId: id }
  }
}
