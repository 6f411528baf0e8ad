import { z } from 'zod'
import type { StateType } from './decide-status.ts'
import { ISSUES, LABELS, PROJECTS, TEAM } from './documents.ts'
import type { Linear } from './linear-client.ts'

export interface Team {
  id: string
  key: string
  name: string
  issueEstimationType: string
  states: { id: string; name: string; type: StateType; position: number }[]
}

export interface Label {
  id: string
  name: string
}

export interface Issue {
  id: string
  identifier: string
  url: string
  teamId: string
  isPutAway: boolean
  state: { id: string; type: StateType }
  /** The issues that block it. */
  blockers: string[]
}

export interface Project {
  id: string
  milestones: string[]
}

const stateType = z.enum(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled', 'duplicate'])
const teamAnswer = z.object({
  team: z.object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    issueEstimationType: z.string(),
    states: z.object({
      nodes: z.array(z.object({ id: z.string(), name: z.string(), type: stateType, position: z.number() })),
    }),
  }),
})
const labelsAnswer = z.object({
  issueLabels: z.object({
    nodes: z.array(z.object({ id: z.string(), name: z.string(), isGroup: z.boolean() })),
  }),
})
const issuesAnswer = z.object({
  issues: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        identifier: z.string(),
        url: z.string(),
        archivedAt: z.string().nullable(),
        trashed: z.boolean().nullable(),
        team: z.object({ id: z.string() }),
        state: z.object({ id: z.string(), type: stateType }),
        inverseRelations: z.object({
          nodes: z.array(z.object({ type: z.string(), issue: z.object({ id: z.string() }) })),
        }),
      }),
    ),
  }),
})
const projectsAnswer = z.object({
  projects: z.object({
    nodes: z.array(
      z.object({ id: z.string(), projectMilestones: z.object({ nodes: z.array(z.object({ id: z.string() })) }) }),
    ),
  }),
})

export async function readTeam(linear: Linear, id: string): Promise<Team> {
  const { team } = teamAnswer.parse(await linear.ask(TEAM, { id }))
  return { ...team, states: team.states.nodes }
}

/** The labels with these names that the team can use: its own, and those of all teams. */
export async function readLabels(linear: Linear, teamId: string, names: readonly string[]): Promise<Label[]> {
  if (names.length === 0) return []
  const spellings = names.flatMap((name) => [name, name.toLowerCase(), name.charAt(0).toUpperCase() + name.slice(1)])
  const teams = [{ team: { null: true } }, { team: { id: { eq: teamId } } }]
  return askForLabels(linear, { name: { in: [...new Set(spellings)] }, or: teams })
}

export async function hasLabel(linear: Linear, id: string): Promise<boolean> {
  return (await askForLabels(linear, { id: { eq: id } })).length > 0
}

async function askForLabels(linear: Linear, filter: Record<string, unknown>): Promise<Label[]> {
  const { issueLabels } = labelsAnswer.parse(await linear.ask(LABELS, { filter }))
  // A group of labels cannot be put on an issue.
  return issueLabels.nodes.filter(({ isGroup }) => !isGroup).map(({ id, name }) => ({ id, name }))
}

/** Fifty at a time: Linear estimates the cost of a query and refuses expensive ones. */
const AT_ONCE = 50

export async function readIssues(linear: Linear, ids: readonly string[]): Promise<Issue[]> {
  const found: Issue[] = []
  for (const some of portions(ids)) {
    const { issues } = issuesAnswer.parse(await linear.ask(ISSUES, { ids: some }))
    for (const { archivedAt, trashed, team, inverseRelations, ...issue } of issues.nodes)
      found.push({
        ...issue,
        teamId: team.id,
        isPutAway: archivedAt !== null || trashed === true,
        blockers: inverseRelations.nodes.filter(({ type }) => type === 'blocks').map((relation) => relation.issue.id),
      })
  }
  return found
}

export async function readProjects(linear: Linear, ids: readonly string[]): Promise<Project[]> {
  const found: Project[] = []
  for (const some of portions(ids)) {
    const { projects } = projectsAnswer.parse(await linear.ask(PROJECTS, { ids: some }))
    for (const { id, projectMilestones } of projects.nodes)
      found.push({ id, milestones: projectMilestones.nodes.map((milestone) => milestone.id) })
  }
  return found
}

function* portions(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) yield ids.slice(at, at + AT_ONCE)
}
