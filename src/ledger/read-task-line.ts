import { z } from 'zod'
import { EDITABLE_FIELDS } from '../core/join.ts'
import { uidOfLargeFile } from '../core/layout.ts'
import { PRIORITIES, TASK_TYPES, type Task, VERDICTS } from '../core/task.ts'
import { separateExtra } from '../core/task-line.ts'

const ref = z.templateLiteral(['task-', z.string().regex(/^[0-9a-f]{40}$/)])
const refs = z
  .union([z.null(), ref, z.array(ref)])
  .optional()
  .transform((value) => (value == null ? [] : typeof value === 'string' ? [value] : value))
const texts = z.array(z.string()).optional()
const text = z.string().optional()
const flag = z.boolean().optional()
const count = z.number().int().nonnegative()

const note = z.strictObject({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  text: z.string(),
  retracted: z.literal(true).optional(),
})
const edit = z.strictObject({
  field: z.enum(EDITABLE_FIELDS),
  n: count,
  at: z.string(),
  by: z.string(),
  value: z.unknown(),
})
const run = z.looseObject({ run: z.string(), attempt: count, machine: z.string(), started_at: z.string() })

const editable = {
  content: z.string(),
  type: z.enum(TASK_TYPES).default('task'),
  priority: z.enum(PRIORITIES).default('medium'),
  after: refs,
  depends_on: refs,
  based_on: refs,
  parent: ref.optional(),
  key: text,
  title: text,
  group: text,
  create_review: flag,
  same_branch: flag,
  branch: text,
  user_story: text,
  acceptance_criteria: texts,
  files_to_create: texts,
  files_to_modify: texts,
  test_files: texts,
  milestone_id: text,
  estimated_complexity: z.enum(['low', 'medium', 'high']).optional(),
  max_attempts: count.optional(),
  linear_issue_id: text,
  auto_review: flag,
  max_review_cycles: count.optional(),
  final_verdict: z.enum(VERDICTS).optional(),
  plan_file: text,
  project: text,
  assigned_agent: text,
  deleted: flag,
}

const line = z.looseObject({
  ...editable,
  id: z.string().regex(/^task-[0-9a-f]{4,40}$/),
  status: z.enum(['pending', 'completed', 'failed', 'skipped']),
  created_at: z.string(),
  created_by: z.string(),
  closed_at: z.string().nullable(),
  closed_commit: z.string().nullable(),
  notes: z.array(note),
  uid: z.string().regex(/^[0-9a-f]{40}$/),
  salt: z.string(),
  number: z.number().int().positive(),
  renumbered: z.array(count).default([]),
  original: text,
  created_head: text,
  generation: count.default(0),
  closed_by: text,
  link: count.default(0),
  closed_head: text,
  closed_branch: text,
  commits: z.array(z.string()).default([]),
  edits: z.array(edit).default([]),
  runs: z.array(run).default([]),
})

/** A line of a task file as a task, or why it is none. */
export function readTaskLine(json: string): { task: Task } | { why: string } {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { why: 'not JSON' }
  }
  const parsed = line.safeParse(value)
  if (parsed.success) return { task: separateExtra(parsed.data) }
  const issue = parsed.error.issues[0]
  return { why: issue ? `${issue.path.join('.') || 'line'}: ${issue.message}` : 'not a task' }
}

/** The file that holds the whole of a task whose line is only a short stand-in. */
export function largeNameIn(line: string): string | null {
  const name = /"large":"(large\/[^"]+)"\}$/.exec(line)?.[1]
  return name !== undefined && uidOfLargeFile(name) !== null ? name : null
}
