/** beads keeps one issue on each line of `.beads/issues.jsonl`, formerly `.beads/beads.jsonl`. */

import { z } from 'zod'
import type { Priority } from '../../../core/task/task.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import {
  aboutList,
  badFile,
  type ForeignFile,
  type ForeignTask,
  type ForeignTasks,
  headed,
  type Importer,
  jsonOf,
  paragraphs,
  type Remark,
} from './importer.ts'

export const beads: Importer = {
  tool: 'beads',
  folders: ['.beads', ''],
  pick: (paths) => PLACES.filter((place) => paths.includes(place)).slice(0, 1),
  recognises: ({ text }) => {
    const first = jsonOf(firstLine(text.trimStart()))
    return issueSchema.safeParse(first).success && typeof first === 'object' && first !== null && 'issue_type' in first
  },
  read: (files) => {
    const read: ForeignTasks = { tasks: [], milestones: [], skipped: [] }
    for (const file of files) readLines(file, read)
    const names = new Set(read.tasks.map(({ name }) => name))
    for (const task of read.tasks) task.parent ??= parentByName(task.name, names)
    return read
  },
}

const PLACES = ['.beads/issues.jsonl', '.beads/beads.jsonl', 'issues.jsonl', 'beads.jsonl']

const text = z.string().optional()
const issueSchema = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  description: text,
  design: text,
  acceptance_criteria: text,
  notes: text,
  status: z.string().default('open'),
  priority: z.int().default(2),
  issue_type: z.string().default('task'),
  assignee: text,
  external_ref: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }).optional(),
  created_by: text,
  closed_at: z.iso.datetime({ offset: true }).nullish(),
  close_reason: text,
  labels: z.array(z.string()).nullish(),
  dependencies: z.array(z.object({ depends_on_id: z.string(), type: z.string() })).nullish(),
  comments: z.array(z.object({ author: z.string().default(''), text: z.string() })).nullish(),
  pinned: z.boolean().optional(),
  ephemeral: z.boolean().optional(),
  is_template: z.boolean().optional(),
})
type Issue = z.infer<typeof issueSchema>

const PRIORITIES: Record<number, Priority> = { 0: 'critical', 1: 'high', 2: 'medium' }

function readLines(file: ForeignFile, read: ForeignTasks): void {
  for (const [index, row] of file.text.split('\n').entries()) {
    if (row.trim() === '') continue
    const line = index + 1
    const value = jsonOf(row)
    if (value === null) throw badFile(`${file.name} line ${line}`, 'not JSON')
    // An export also contains memories and other records, each with its kind.
    if (kindOf(value) !== 'issue') continue
    const parsed = issueSchema.safeParse(value)
    if (!parsed.success) throw badFile(`${file.name} line ${line}`, problemOf(parsed.error))
    const why = whyNoTask(parsed.data)
    if (why === null) read.tasks.push(readIssue(parsed.data, (remark) => read.skipped.push({ line, why: remark })))
    else read.skipped.push({ line, why: `${parsed.data.id} ${why}` } satisfies Remark)
  }
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '_type' in value ? value._type : 'issue'
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'line'}: ${issue?.message}`
}

function whyNoTask({ status, pinned, ephemeral, is_template }: Issue): string | null {
  if (status === 'tombstone') return 'is deleted'
  if (status === 'pinned' || pinned) return 'is pinned, not work to be done'
  if (is_template) return 'is a template'
  return ephemeral ? 'is ephemeral' : null
}

function readIssue(issue: Issue, remark: (why: string) => void): ForeignTask {
  const edges = issue.dependencies ?? []
  const names = (...types: string[]) =>
    edges.filter(({ type }) => types.includes(type)).map((edge) => edge.depends_on_id)
  for (const name of names('conditional-blocks'))
    remark(`${issue.id} should run only if ${name} fails, which gza does not support; this dependency is ignored`)
  const [parent] = names('parent-child')
  return {
    name: issue.id,
    title: issue.title,
    body: paragraphs(issue.description, headed('Design', issue.design)),
    status: issue.status === 'closed' ? 'completed' : 'pending',
    ...(issue.status === 'deferred' && { isOnHold: true }),
    priority: PRIORITIES[issue.priority] ?? 'low',
    ...(issue.issue_type === 'spike' && { type: 'explore' }),
    ...(parent !== undefined && { parent }),
    dependsOn: names('blocks', 'waits-for'),
    criteria: listItems(issue.acceptance_criteria),
    notes: [
      ...(issue.notes ? [issue.notes] : []),
      ...(issue.comments ?? []).map((comment) =>
        comment.author ? `${comment.author}: ${comment.text}` : comment.text,
      ),
      ...(issue.close_reason ? [`Closed: ${issue.close_reason}`] : []),
    ],
    about: [
      ...(issue.issue_type === 'task' ? [] : [`Type: ${issue.issue_type}`]),
      ...aboutList('Labels', issue.labels ?? []),
      ...(issue.assignee ? [`Assignee: ${issue.assignee}`] : []),
      ...(issue.external_ref ? [`Reference: ${issue.external_ref}`] : []),
      ...aboutList('Discovered from', names('discovered-from')),
      ...aboutList('Related', names('related', 'relates-to')),
    ],
    createdAt: issue.created_at,
    createdBy: issue.created_by,
    closedAt: issue.closed_at ?? undefined,
  }
}

/** One criterion on each line, with any bullet or box. */
function listItems(lines: string | undefined): string[] {
  return (lines ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\])?\s*/, '').trim())
    .filter((line) => line !== '')
}

/** `bd-a3f8.1` is a child of `bd-a3f8`. */
function parentByName(name: string, names: ReadonlySet<string>): string | undefined {
  const above = /^(.+)\.\d+$/.exec(name)?.[1]
  return above !== undefined && names.has(above) ? above : undefined
}
