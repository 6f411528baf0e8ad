/** A small Linear on loopback: every request is held against Linear's published schema, and answered by executing it. */
import { execute, GraphQLError, parse, validate } from 'graphql'
import { linearSchema } from './linear-schema.ts'

export const KEY = 'lin_api_test'
const TEAM_ID = '11111111-1111-4111-8111-111111111111'

export interface FakeIssue {
  id: string
  identifier: string
  title: string
  description: string
  priority: number
  estimate: number | null
  labels: string[]
  parent: string | null
  milestone: string | null
  state: string
  trashed: boolean
}

/** What is to go wrong with the next request of that name. */
type Fault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: unknown }
  /** No answer at all; the request is done all the same, or not. */
  | { kind: 'silence'; isDone: boolean }

export interface FakeLinear {
  url: string
  issues: FakeIssue[]
  relations: { id: string; blocker: string; blocked: string }[]
  labels: { id: string; name: string }[]
  projects: { id: string; name: string; milestones: { id: string; name: string; sortOrder: number }[] }[]
  /** Names of the requests, in order. */
  requests: string[]
  /** What the schema has against a request; must stay empty. */
  violations: string[]
  fail(request: string, ...faults: Fault[]): void
  moveTo(identifier: string, state: string): void
  stop(): void
}

const STATES = [
  { id: 's-backlog', name: 'Backlog', type: 'backlog', position: 0 },
  { id: 's-todo', name: 'Todo', type: 'unstarted', position: 1 },
  { id: 's-doing', name: 'Doing', type: 'started', position: 3 },
  { id: 's-review', name: 'In Review', type: 'started', position: 4 },
  { id: 's-shipped', name: 'Shipped', type: 'completed', position: 5 },
  { id: 's-dropped', name: 'Dropped', type: 'canceled', position: 6 },
]

/** The schema has looked at them already. */
interface Given {
  id: string
  name: string
  title: string
  description?: string
  priority?: number
  estimate?: number
  labelIds?: string[]
  addedLabelIds?: string[]
  parentId?: string
  projectId: string
  projectMilestoneId?: string
  stateId?: string
  sortOrder: number
  issueId: string
  relatedIssueId: string
}

interface Args {
  id: string
  input: Given
  filter?: { id?: { in: string[]; eq?: string }; name?: { in: string[] } }
}

export function aLinear(options: { estimates?: string } = {}): FakeLinear {
  const faults = new Map<string, Fault[]>()
  const linear: FakeLinear = {
    ...{ url: '', issues: [], relations: [], projects: [], requests: [], violations: [] },
    labels: [{ id: 'l-implement', name: 'Implement' }],
    fail: (request, ...more) => faults.set(request, [...(faults.get(request) ?? []), ...more]),
    moveTo: (identifier, state) => {
      issueOf(linear, identifier).state = STATES.find(({ name }) => name === state)?.id ?? state
    },
    stop: () => server.stop(true),
  }
  // Once and now: no request shall wait for it.
  linearSchema()
  const root = resolvers(linear, options.estimates ?? 'fibonacci')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: async (request) => {
      if (request.headers.get('authorization') !== KEY)
        return Response.json(failure('Authentication required', 'AUTHENTICATION_ERROR'), { status: 401 })
      const { query, variables } = (await request.json()) as { query: string; variables: Record<string, unknown> }
      const name = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ''
      linear.requests.push(name)
      const fault = faults.get(name)?.shift()
      if (fault?.kind === 'answer')
        return Response.json(fault.body ?? {}, { status: fault.status, headers: fault.headers })
      if (fault?.kind === 'silence' && !fault.isDone) return silence()
      const answer = run(linear, root, query, variables)
      return fault === undefined ? Response.json(answer, { status: answer.errors ? 400 : 200 }) : silence()
    },
  })
  linear.url = `http://127.0.0.1:${server.port}/graphql`
  return linear
}

function silence(): Promise<Response> {
  return new Promise(() => {})
}

function failure(message: string, code: string) {
  return { errors: [{ message, extensions: { code, type: code.toLowerCase().replaceAll('_', ' ') } }] }
}

function run(linear: FakeLinear, rootValue: unknown, query: string, variableValues: Record<string, unknown>) {
  const schema = linearSchema()
  const document = parse(query)
  const against = validate(schema, document)
  if (against.length > 0) {
    linear.violations.push(...against.map(({ message }) => message))
    return failure(against[0]?.message ?? '', 'GRAPHQL_VALIDATION_FAILED')
  }
  const result = execute({ schema, document, rootValue, variableValues })
  if (result instanceof Promise) throw new Error('the answers are all here already')
  // Without a code it is the schema that complains: of variables, or of what this server answers.
  for (const { message, extensions } of result.errors ?? []) if (!extensions.code) linear.violations.push(message)
  return result
}

function refuse(message: string): never {
  throw new GraphQLError(message, { extensions: { code: 'INVALID_INPUT', type: 'invalid input' } })
}

function issueOf({ issues }: FakeLinear, name: unknown): FakeIssue {
  return issues.find(({ id, identifier }) => id === name || identifier === name) ?? refuse('Entity not found: Issue')
}

const VERSION_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

function checkId(id: string, taken: readonly { id: string }[]): void {
  if (!VERSION_4.test(id)) refuse('id must be a UUID')
  if (taken.some((thing) => thing.id === id)) refuse('Entity already exists')
}

function resolvers(linear: FakeLinear, issueEstimationType: string) {
  const viewIssue = (issue: FakeIssue) => ({
    ...{ id: issue.id, identifier: issue.identifier, url: `https://linear.app/acme/issue/${issue.identifier}` },
    ...{ archivedAt: null, trashed: issue.trashed, team: { id: TEAM_ID } },
    state: STATES.find(({ id }) => id === issue.state),
    inverseRelations: {
      nodes: linear.relations
        .filter(({ blocked }) => blocked === issue.id)
        .map(({ blocker }) => ({ type: 'blocks', issue: { id: blocker } })),
    },
  })
  return {
    team: ({ id }: Args) =>
      [TEAM_ID, 'ENG'].includes(id)
        ? {
            ...{ id: TEAM_ID, key: 'ENG', name: 'Engineering', issueEstimationType },
            states: { nodes: STATES },
          }
        : refuse('Entity not found: Team'),
    issueLabels: ({ filter }: Args) => ({
      nodes: linear.labels
        .filter(({ id, name }) => filter?.id?.eq === id || filter?.name?.in.includes(name))
        .map((label) => ({ ...label, isGroup: false })),
    }),
    issues: ({ filter }: Args) => ({
      nodes: linear.issues
        .filter(({ id, identifier }) => [id, identifier].some((name) => filter?.id?.in.includes(name)))
        .map(viewIssue),
    }),
    projects: ({ filter }: Args) => ({
      nodes: linear.projects
        .filter(({ id }) => filter?.id?.in.includes(id))
        .map(({ id, name, milestones }) => ({ id, name, projectMilestones: { nodes: milestones } })),
    }),
    issueLabelCreate: ({ input: { id, name } }: Args) => {
      checkId(id, linear.labels)
      linear.labels.push({ id, name })
      return { success: true }
    },
    projectCreate: ({ input: { id, name } }: Args) => {
      checkId(id, linear.projects)
      linear.projects.push({ id, name, milestones: [] })
      return { success: true }
    },
    projectMilestoneCreate: ({ input: { id, name, projectId, sortOrder } }: Args) => {
      const project = linear.projects.find((one) => one.id === projectId) ?? refuse('Entity not found: Project')
      checkId(id, project.milestones)
      project.milestones.push({ id, name, sortOrder })
      return { success: true }
    },
    issueCreate: ({ input }: Args) => {
      checkId(input.id, linear.issues)
      if (input.parentId !== undefined) issueOf(linear, input.parentId)
      const issue: FakeIssue = {
        ...{ id: input.id, identifier: `ENG-${linear.issues.length + 1}`, title: input.title },
        ...{ description: input.description ?? '', priority: input.priority ?? 0, estimate: input.estimate ?? null },
        ...{ labels: labelNames(linear, input.labelIds ?? []), parent: input.parentId ?? null },
        ...{ milestone: input.projectMilestoneId ?? null, state: input.stateId ?? 's-backlog', trashed: false },
      }
      linear.issues.push(issue)
      return { success: true, issue: viewIssue(issue) }
    },
    issueUpdate: ({ id, input }: Args) => {
      const issue = issueOf(linear, id)
      const { stateId = issue.state, addedLabelIds = [], parentId = issue.parent, ...rest } = input
      const labels = [...new Set([...issue.labels, ...labelNames(linear, addedLabelIds)])]
      Object.assign(issue, rest, { state: stateId, parent: parentId, labels })
      return { success: true }
    },
    issueRelationCreate: ({ input: { id, issueId, relatedIssueId } }: Args) => {
      checkId(id, linear.relations)
      linear.relations.push({ id, blocker: issueOf(linear, issueId).id, blocked: issueOf(linear, relatedIssueId).id })
      return { success: true }
    },
  }
}

function labelNames({ labels }: FakeLinear, ids: readonly string[]): string[] {
  return ids.map((id) => labels.find((label) => label.id === id)?.name ?? refuse(`Entity not found: IssueLabel ${id}`))
}
