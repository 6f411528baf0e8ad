import * as z from 'zod/mini'
import { EDITABLE_FIELDS } from '../core/ledger/editable-fields.ts'
import { LAST_NUMBER, PRIORITIES, STATUSES, TASK_TYPES, VERDICTS } from '../core/task/task.ts'

/** What a line of a task file must be. Fields that this version does not know are kept. */
export function lineSchema() {
  const fields = editableSchema()
  const count = z.number().check(z.int(), z.nonnegative())
  const number = z.number().check(z.int(), z.positive(), z.lte(LAST_NUMBER))
  const list = <T extends z.core.SomeType>(of: T) => z._default(z.array(of), [])
  const text = z.optional(z.string())
  const note = z.looseObject({
    id: z.string(),
    at: z.string(),
    by: z.string(),
    text: z.string(),
    retracted: z.optional(z.literal(true)),
  })
  const edit = z
    .looseObject({
      field: z.string(),
      n: count,
      at: z.string(),
      by: z.string(),
      value: z.unknown(),
      head: text,
    })
    .check(z.refine(({ field, value }) => isValueFor(fields, field, value), 'not a valid value for its field'))
  const run = z.looseObject({ run: z.string(), attempt: count, machine: z.string(), started_at: z.string() })
  const fact = { generation: count, at: z.string(), head: z.string() }
  const phase = z.looseObject({
    ...fact,
    run: z.string(),
    phase: z.enum(['implement', 'review', 'improve']),
    cycle: count,
    verdict: z.optional(z.enum(VERDICTS).check(z.refine((verdict) => verdict !== 'MAX_CYCLES_REACHED'))),
  })
  const landing = z.looseObject({
    ...fact,
    id: z.string(),
    by: z.string(),
    base: z.string(),
    outcome: z.enum(['landed', 'conflict', 'red']),
    method: z.string(),
    commits: z.optional(z.array(z.string())),
    detail: text,
  })
  const task = z.looseObject({
    ...fields,
    id: z.string().check(z.regex(/^task-[0-9a-f]{4,40}$/)),
    status: z.enum(STATUSES),
    created_at: z.string(),
    created_by: z.string(),
    closed_at: z.nullable(z.string()),
    closed_commit: z.nullable(z.string()),
    notes: z.array(note),
    uid: z.string().check(z.regex(/^[0-9a-f]{40}$/)),
    salt: z.string(),
    number,
    renumbered: list(number),
    original: text,
    created_head: text,
    generation: z._default(count, 0),
    closed_by: text,
    link: z._default(count, 0),
    closed_head: text,
    closed_branch: text,
    commits: list(z.string()),
    edits: list(edit),
    runs: list(run),
    phases: list(phase),
    landings: list(landing),
  })
  return task.check(
    z.refine(({ id, uid }) => uid.startsWith(id.slice('task-'.length)), 'its id does not match its uid'),
  )
}

/** A join takes over the value of an edit, so the value must be valid for the field; null clears an optional one. */
function isValueFor(fields: Record<string, z.core.$ZodType>, field: string, value: unknown): boolean {
  const schema = fields[field]
  // A later release may have fields that this one does not know: their edits are kept.
  if (schema === undefined || !(EDITABLE_FIELDS as readonly string[]).includes(field)) return true
  if (value === null) return !NEVER_EMPTY.has(field)
  if (REFERENCES.has(field) && !Array.isArray(value)) return false
  return value !== undefined && z.safeParse(schema, value).success
}

const NEVER_EMPTY = new Set(['content', 'type', 'priority'])
const REFERENCES = new Set(['after', 'depends_on', 'based_on'])

function editableSchema() {
  const ref = z.string().check(z.regex(/^task-[0-9a-f]{40}$/))
  const refs = z.pipe(
    z.optional(z.union([z.null(), ref, z.array(ref)])),
    z.transform((value: string | string[] | null | undefined) =>
      value == null ? [] : typeof value === 'string' ? [value] : value,
    ),
  )
  const texts = z.optional(z.array(z.string()))
  const text = z.optional(z.string())
  const flag = z.optional(z.boolean())
  const count = z.optional(z.number().check(z.int(), z.nonnegative()))
  return {
    content: z.string(),
    type: z._default(z.enum(TASK_TYPES), 'task'),
    priority: z._default(z.enum(PRIORITIES), 'medium'),
    after: refs,
    depends_on: refs,
    based_on: refs,
    parent: z.optional(ref),
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
    locks: texts,
    milestone_id: text,
    estimated_complexity: z.optional(z.enum(['low', 'medium', 'high'])),
    max_attempts: count,
    linear_issue_id: text,
    auto_review: flag,
    max_review_cycles: count,
    final_verdict: z.optional(z.enum(VERDICTS)),
    plan_file: text,
    project: text,
    assigned_agent: text,
    todo_item: texts,
    on_hold: flag,
    archived: flag,
    deleted: flag,
    moved_to: text,
  }
}
