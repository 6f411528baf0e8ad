/** Task Master keeps one JSON file; since 0.16 it contains a list of tasks for each tag. */
import { z } from 'zod'
import type { Priority, Status } from '../../../core/task/task.ts'
import {
  badFile,
  type ForeignFile,
  type ForeignTask,
  type ForeignTasks,
  headed,
  type Importer,
  jsonOf,
  paragraphs,
} from './importer.ts'

export const taskMaster: Importer = {
  tool: 'task-master',
  folders: ['.taskmaster/tasks', 'tasks', ''],
  pick: (paths) => PLACES.filter((place) => paths.includes(place)).slice(0, 1),
  recognises: ({ text }) => {
    const lists = listsIn(jsonOf(text))
    return lists !== null && lists.length > 0
  },
  read: (files) => ({ tasks: files.flatMap(readFile), milestones: [], skipped: [] }) satisfies ForeignTasks,
}

const PLACES = ['.taskmaster/tasks/tasks.json', 'tasks/tasks.json', 'tasks.json']

const id = z.union([z.int(), z.string().min(1)]).transform(String)
const step = {
  id,
  title: z.string().min(1),
  description: z.string().nullish(),
  details: z.string().nullish(),
  testStrategy: z.string().nullish(),
  status: z.string().default('pending'),
  priority: z.string().nullish(),
  dependencies: z.array(id).nullish(),
}
const taskSchema = z.object({ ...step, subtasks: z.array(z.object(step)).nullish() })
const listSchema = z.object({ tasks: z.array(taskSchema) })
type Item = z.infer<typeof taskSchema>
type Step = Omit<Item, 'subtasks'>

interface TagList {
  tag: string
  tasks: Item[]
}

const MASTER = 'master'
/** Task Master's words for finished tasks. */
const STATUSES: Record<string, Status> = { done: 'completed', completed: 'completed', cancelled: 'skipped' }
const PRIORITIES: Record<string, Priority> = { critical: 'critical', high: 'high', low: 'low' }

function readFile({ name, text }: ForeignFile): ForeignTask[] {
  const root = jsonOf(text)
  const lists = listsIn(root)
  if (lists === null) throw badFile(name, root === null ? 'not JSON' : problemIn(root))
  return lists.flatMap(({ tag, tasks }) => tasks.flatMap((task) => readTask(tag, task)))
}

/** Null if it is neither a list nor an object of lists. */
function listsIn(root: unknown): TagList[] | null {
  const whole = listSchema.safeParse(root)
  if (whole.success) return [{ tag: MASTER, tasks: whole.data.tasks }]
  const tagged = z.record(z.string(), listSchema).safeParse(root)
  return tagged.success ? Object.entries(tagged.data).map(([tag, { tasks }]) => ({ tag, tasks })) : null
}

function problemIn(root: unknown): string {
  const isList = typeof root === 'object' && root !== null && 'tasks' in root
  const { error } = (isList ? listSchema : z.record(z.string(), listSchema)).safeParse(root)
  const [issue] = error?.issues ?? []
  return `${issue?.path.join('.') || 'file'}: ${issue?.message}`
}

function readTask(tag: string, task: Item): ForeignTask[] {
  const name = nameIn(tag)
  const own = readStep(tag, task, name(task.id))
  const steps = task.subtasks ?? []
  const siblings = new Set(steps.map((step) => step.id))
  // Below a task, a bare number names a step of that task; another task's step is written 5.2.
  const nameBeside = (wanted: string) => name(siblings.has(wanted) ? `${task.id}.${wanted}` : wanted)
  return [
    { ...own, dependsOn: (task.dependencies ?? []).map(name) },
    ...steps.map((step) => ({
      ...readStep(tag, step, name(`${task.id}.${step.id}`)),
      parent: own.name,
      dependsOn: (step.dependencies ?? []).map(nameBeside),
      // A step has its own priority only if a person gave it one.
      ...(step.priority == null && { priority: own.priority }),
    })),
  ]
}

function nameIn(tag: string): (id: string) => string {
  return (id) => (tag === MASTER ? id : `${tag}/${id}`)
}

function readStep(tag: string, step: Step, name: string): ForeignTask {
  return {
    name,
    title: step.title,
    body: paragraphs(
      step.description ?? '',
      headed('Details', step.details ?? ''),
      headed('Test strategy', step.testStrategy ?? ''),
    ),
    status: STATUSES[step.status] ?? 'pending',
    ...(step.status === 'deferred' && { isOnHold: true }),
    priority: PRIORITIES[step.priority ?? ''] ?? 'medium',
    ...(tag !== MASTER && { group: tag }),
    dependsOn: [],
    notes: [],
    about: [],
  }
}
