import { z } from 'zod'

/** Kinds of values that many outputs have. */

export const named = <T extends z.ZodRawShape>(id: string, description: string, shape: T) =>
  z.strictObject(shape).meta({ id, description })

export const maybe = <T extends z.ZodType>(type: T) => z.union([type, z.null()])

export const text = z.string()
export const count = z.int().min(0)
export const flag = z.boolean()
export const texts = z.array(z.string())
export const about = (description: string) => z.string().describe(description)

export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  .meta({ id: 'Time', description: 'A moment in UTC: `2026-01-02T10:30:00Z`.' })
export const taskId = z
  .string()
  .regex(/^task-[0-9a-f]{4,40}$/)
  .meta({ id: 'TaskId', description: 'The id of a task: `task-a3f8`.' })
export const commit = z
  .string()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
  .meta({ id: 'Commit', description: 'The full id of a commit.' })
export const seconds = z.number().min(0)
export const usd = z.number().min(0)
export const status = z
  .enum(['pending', 'blocked', 'in_progress', 'failed', 'completed', 'skipped'])
  .meta({ id: 'Status', description: 'The status of a task.' })
export const taskType = z.enum(['task', 'explore', 'plan', 'implement', 'review', 'improve'])
export const priority = z.enum(['critical', 'high', 'medium', 'low'])
export const verdict = z.enum(['APPROVED', 'CHANGES_REQUESTED', 'MAX_CYCLES_REACHED', 'NEEDS_DISCUSSION'])

const name = { number: count.describe('0: the task is not in this ledger'), id: taskId, title: text, status }
export const TaskName = named('TaskName', 'Another task, as it is named.', name)
export const RelatedTask = named('RelatedTask', 'Another task, and how it is related.', {
  ...name,
  kind: z.enum(['after', 'depends_on', 'based_on', 'parent', 'child']),
})
export const ShortTask = named('ShortTask', 'A task by number and id.', { number: count, id: taskId })
