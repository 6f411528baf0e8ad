/** GitHub's issues as `gh issue list --json …` prints them; every field except number and title may be missing. */
import { z } from 'zod'
import type { Priority, Status } from '../../../core/task/task.ts'
import {
  aboutList,
  badFile,
  type ForeignFile,
  type ForeignMilestone,
  type ForeignTask,
  type Importer,
  jsonOf,
  paragraphs,
} from './importer.ts'

export const github: Importer = {
  tool: 'github',
  folders: [],
  pick: () => [],
  recognises: ({ text }) => {
    const list = jsonOf(text)
    const parsed = listSchema.safeParse(list)
    // gza's own tasks have numbers and titles too, and a content, which no issue has.
    return parsed.success && parsed.data.length > 0 && !(list as object[]).some((issue) => 'content' in issue)
  },
  read: (files) => {
    const issues = files.flatMap(readFile)
    const parents = parentsIn(issues)
    const homes = [...new Set(issues.map(({ repository }) => repository))]
    const home = homes.length === 1 ? homes[0] : undefined
    const tasks = issues.map((issue) => readIssue(issue, parents.get(issue.name), home))
    return { tasks, milestones: milestonesIn(issues, home), ...(home && { home }), skipped: [] }
  },
}

const person = z.object({ login: z.string() })
const other = z.object({ number: z.int(), url: z.string().optional() })
/** gh prints a connection as a list, or as an object around one. */
const others = z.union([z.array(other), z.object({ nodes: z.array(other) }).transform(({ nodes }) => nodes)])
const issueSchema = z.object({
  number: z.int(),
  title: z.string().min(1),
  body: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  state: z.string().default('OPEN'),
  stateReason: z.string().nullish(),
  assignees: z.array(person).nullish(),
  url: z.string().optional(),
  author: person.nullish(),
  createdAt: z.iso.datetime({ offset: true }).nullish(),
  closedAt: z.iso.datetime({ offset: true }).nullish(),
  milestone: z.object({ number: z.int().optional(), title: z.string(), description: z.string().nullish() }).nullish(),
  parent: other.nullish(),
  subIssues: others.nullish(),
  blockedBy: others.nullish(),
})
const listSchema = z.array(issueSchema)
/** With its repository, if the address contains it: numbers begin at 1 in each. */
type Issue = z.infer<typeof issueSchema> & { name: string; repository: string }

function readFile({ name, text }: ForeignFile): Issue[] {
  const parsed = listSchema.safeParse(jsonOf(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw badFile(name, `${issue?.path.join('.') || 'no list of issues'}: ${issue?.message}`)
  }
  return parsed.data.map((issue) => {
    const repository = repositoryOf(issue.url)
    return { ...issue, repository, name: nameIn(repository, issue.number) }
  })
}

function repositoryOf(url: string | undefined): string {
  return /^https:\/\/[^/]+\/([^/]+\/[^/]+)\/issues\/\d+/.exec(url ?? '')?.[1] ?? ''
}

function nameIn(repository: string, number: number): string {
  return repository === '' ? String(number) : `${repository}#${number}`
}

function nameOfOther(issue: Issue, { number, url }: z.infer<typeof other>): string {
  return nameIn(repositoryOf(url) || issue.repository, number)
}

/** From the issue's own parent field, from its parent's list, and from boxes with numbers: `- [ ] #12`. */
function parentsIn(issues: readonly Issue[]): Map<string, string> {
  const parents = new Map<string, string>()
  const add = (child: string, parent: string) => {
    if (child !== parent && !parents.has(child)) parents.set(child, parent)
  }
  for (const issue of issues) if (issue.parent) add(issue.name, nameOfOther(issue, issue.parent))
  for (const issue of issues) for (const child of issue.subIssues ?? []) add(nameOfOther(issue, child), issue.name)
  for (const issue of issues)
    for (const [, number] of prose(issue).matchAll(/^\s*[-*+] \[[ xX]\] #(\d+)\b/gm))
      add(nameIn(issue.repository, Number(number)), issue.name)
  return parents
}

function readIssue(issue: Issue, parent: string | undefined, home: string | undefined): ForeignTask {
  const milestone = milestoneId(issue, home)
  const labels = (issue.labels ?? []).map(({ name }) => name)
  return {
    name: issue.name,
    title: issue.title,
    body: paragraphs(issue.body ?? ''),
    status: statusOf(issue),
    priority: priorityOf(labels),
    ...(parent !== undefined && { parent }),
    dependsOn: dependenciesOf(issue),
    ...(milestone !== undefined && { milestone }),
    notes: [],
    about: [
      ...aboutList('Labels', labels),
      ...aboutList(
        'Assignees',
        issue.assignees?.map(({ login }) => login),
      ),
      ...(issue.url ? [issue.url] : []),
    ],
    createdAt: issue.createdAt ?? undefined,
    createdBy: issue.author?.login,
    closedAt: issue.closedAt ?? undefined,
  }
}

function statusOf({ state, stateReason }: Issue): Status {
  if (state.toUpperCase() !== 'CLOSED') return 'pending'
  return ['NOT_PLANNED', 'DUPLICATE'].includes(stateReason?.toUpperCase() ?? '') ? 'skipped' : 'completed'
}

const PRIORITY_LABELS: [RegExp, Priority][] = [
  [/^(p0|critical|urgent)$/, 'critical'],
  [/^(p1|high)$/, 'high'],
  [/^(p2|medium|normal)$/, 'medium'],
  [/^(p3|p4|low)$/, 'low'],
]

/** `P1`, `priority: high`, `priority/high`. */
function priorityOf(labels: readonly string[]): Priority {
  const words = labels.map((label) => label.toLowerCase().replace(/^prio(rity)?\s*[:/_-]?\s*/, ''))
  return PRIORITY_LABELS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? 'medium'
}

const ISSUE = String.raw`(?:https:\/\/[^\s/]+\/[\w.-]+\/[\w.-]+\/issues\/\d+|(?:[\w.-]+\/[\w.-]+)?#\d+)`
const WAITS = new RegExp(
  String.raw`\b(?:depends on|blocked by):?\s+(${ISSUE}(?:\s*(?:,|and|,\s*and)\s*${ISSUE})*)`,
  'gi',
)

/** What GitHub records, and what people wrote before GitHub could record it: `Depends on #12, acme/shop#13`. */
function dependenciesOf(issue: Issue): string[] {
  const written = [...prose(issue).matchAll(WAITS)].flatMap(([, list = '']) => list.match(new RegExp(ISSUE, 'g')) ?? [])
  const recorded = (issue.blockedBy ?? []).map((blocker) => nameOfOther(issue, blocker))
  return [...new Set([...recorded, ...written.map((name) => nameOfWritten(issue, name))])].filter(
    (name) => name !== issue.name,
  )
}

function nameOfWritten({ repository }: Issue, written: string): string {
  const [, number = ''] = /(\d+)$/.exec(written) ?? []
  return nameIn(repositoryOf(written) || written.split('#', 1)[0] || repository, Number(number))
}

/** Without code, and without the comments of issue templates, because those are examples. */
function prose({ body }: Issue): string {
  return (body ?? '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*\s*$|(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '')
}

/**
 * Each repository has a first milestone: if a list contains issues of several repositories, the repository's name keeps
 * them apart.
 */
function milestoneId({ milestone, repository }: Issue, home: string | undefined): string | undefined {
  if (!milestone) return undefined
  const id = milestone.number === undefined ? milestone.title : `M${milestone.number}`
  return home === undefined && repository !== '' ? `${repository} ${id}` : id
}

function milestonesIn(issues: readonly Issue[], home: string | undefined): ForeignMilestone[] {
  const byId = new Map(issues.map((issue) => [milestoneId(issue, home), issue.milestone]))
  return [...byId].flatMap(([id, milestone]) => {
    if (id === undefined || !milestone) return []
    return [{ id, name: milestone.title, description: milestone.description ?? '' }]
  })
}
