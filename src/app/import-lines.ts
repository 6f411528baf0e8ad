/** JSONL in the ledger's own shape: whole lines as `gza export` writes them, or hand-made ones with seed 002's fields. */
import { z } from 'zod'
import { findCycle } from '../core/graph.ts'
import { addNote, closeTask, type NewTask } from '../core/operations.ts'
import { dependenciesOf, PRIORITIES, refOf, TASK_TYPES, type Task, type TaskRef, uidOf } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import { readTaskLine } from '../ledger/read-task-line.ts'
import { checkedContent } from './field-input.ts'
import type { Draft, ImportInput } from './import-tasks.ts'
import { findTask, type LedgerView } from './ledger-view.ts'
import { openNursery } from './nursery.ts'

const names = z.union([z.null(), z.string(), z.array(z.string())]).optional()
const texts = z.array(z.string()).optional()

const handMade = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  content: z.string(),
  status: z.enum(['pending', 'completed', 'done', 'failed', 'skipped']).optional(),
  created_at: z.iso.datetime({ offset: true }).optional(),
  created_by: z.string().optional(),
  closed_at: z.iso.datetime({ offset: true }).nullish(),
  closed_commit: z.string().nullish(),
  after: names,
  depends_on: names,
  based_on: names,
  parent: z.string().nullish(),
  notes: z.array(z.union([z.string(), z.object({ text: z.string() })])).optional(),
  type: z.enum(TASK_TYPES).optional(),
  priority: z.enum(PRIORITIES).optional(),
  group: z.string().nullish(),
  key: z.string().nullish(),
  title: z.string().optional(),
  acceptance_criteria: texts,
  files_to_create: texts,
  files_to_modify: texts,
  test_files: texts,
  milestone_id: z.string().nullish(),
  plan_file: z.string().nullish(),
  project: z.string().nullish(),
  branch: z.string().nullish(),
  assigned_agent: z.string().nullish(),
  children: z.array(z.unknown()).optional(),
})
type HandMade = z.infer<typeof handMade>

export function draftLines(view: LedgerView, { text, name }: ImportInput): Draft {
  const create = openNursery(view)
  const parsed = parseLines(text, name).flatMap((entry): Parsed[] =>
    entry.kind === 'whole' ? [entry] : family(entry.line, entry.made),
  )
  const drafted = parsed.map(
    (entry): Drafted => (entry.kind === 'whole' ? entry : { ...entry, task: createFrom(view, create, entry.made) }),
  )
  const byName = new Map<string, Task>()
  for (const entry of drafted)
    if (entry.kind === 'made') for (const own of namesOf(entry.made)) byName.set(own, entry.task)
  const tasks = drafted.map((entry) => (entry.kind === 'made' ? connect(view, entry, byName) : entry.task))
  if (tasks.length === 0)
    throw new UserError('NOTHING_TO_IMPORT', `${name} holds no task`, {
      hint: 'A line is {"content":"What is to be done"}',
    })
  refuseCycles(tasks)
  return { tasks, skipped: [] }
}

/** A line with a uid is a task already; a hand-made one becomes one. */
type Parsed = { kind: 'whole'; line: number; task: Task } | Made
interface Made {
  kind: 'made'
  line: number
  made: HandMade
  parent?: HandMade
}
type Drafted = Extract<Parsed, { kind: 'whole' }> | (Made & { task: Task })

function parseLines(text: string, name: string): Parsed[] {
  return text.split('\n').flatMap((line, index): Parsed[] => {
    if (line.trim() === '') return []
    const where = `${name} line ${index + 1}`
    const value = parseJson(line, where)
    if (typeof value === 'object' && value !== null && 'uid' in value) {
      const read = readTaskLine(line)
      if ('task' in read) return [{ kind: 'whole', line: index + 1, task: read.task }]
      throw badLine(where, read.why)
    }
    const parsed = handMade.safeParse(value)
    if (parsed.success) return [{ kind: 'made', line: index + 1, made: parsed.data }]
    const issue = parsed.error.issues[0]
    throw badLine(where, `${issue?.path.join('.') || 'line'}: ${issue?.message}`)
  })
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw badLine(where, 'not JSON')
  }
}

function badLine(where: string, why: string): UserError {
  return new UserError('BAD_IMPORT', `${where}: ${why}`, {
    hint: 'Nothing was imported. Mend the line and import again.',
  })
}

/** An item and the items nested in it, parents first. */
function family(line: number, made: HandMade, parent?: HandMade): Made[] {
  const children = (made.children ?? []).flatMap((child) => {
    const parsed = handMade.safeParse(child)
    if (!parsed.success) throw badLine(`line ${line}`, 'children: not a task')
    return family(line, parsed.data, made)
  })
  return [{ kind: 'made', line, made, ...(parent && { parent }) }, ...children]
}

function createFrom(view: LedgerView, create: ReturnType<typeof openNursery>, made: HandMade): Task {
  const { content, type, priority, title, acceptance_criteria, files_to_create, files_to_modify, test_files } = made
  const optional = {
    group: made.group,
    key: made.key,
    milestone_id: made.milestone_id,
    plan_file: made.plan_file,
    project: made.project,
    branch: made.branch,
    assigned_agent: made.assigned_agent,
  }
  const lists = { acceptance_criteria, files_to_create, files_to_modify, test_files }
  const fields = Object.fromEntries(
    Object.entries({ type, priority, title, ...lists, ...optional }).filter(([, value]) => value != null),
  )
  const at = made.created_at === undefined ? view.ws.now() : seconds(made.created_at)
  const by = made.created_by ?? view.ws.actor.name
  const task = create({ ...fields, content: checkedContent(content) } as NewTask, { at, by })
  const noted = (made.notes ?? []).reduce(
    (next, note) => addNote(next, typeof note === 'string' ? note : note.text, { at, by }, view.ws.random(8)),
    task,
  )
  return closeAs(noted, made, by, view.ws.now())
}

function closeAs(task: Task, made: HandMade, by: string, now: string): Task {
  const status = made.status === 'done' ? 'completed' : (made.status ?? 'pending')
  if (status === 'pending') return task
  const commits = made.closed_commit ? [made.closed_commit] : []
  return closeTask(
    task,
    status,
    { at: made.closed_at ? seconds(made.closed_at) : now, by },
    { head: null, branch: null, commits },
  )
}

function seconds(time: string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

function namesOf(made: HandMade): string[] {
  return [made.id, made.key].flatMap((own) => (own == null ? [] : [String(own)]))
}

/** References name tasks of the same file by their id or key there, else tasks of the ledger. */
function connect(
  view: LedgerView,
  { made, parent, task, line }: Made & { task: Task },
  byName: ReadonlyMap<string, Task>,
): Task {
  const refOfName = (name: string): TaskRef => refOf(byName.get(name) ?? findTask(view, name))
  const refs = (value: HandMade['after']) => [...new Set((value == null ? [] : [value].flat()).map(refOfName))]
  const above = parent ? namesOf(parent)[0] : made.parent
  if (parent && above === undefined) throw badLine(`line ${line}`, 'an item with children needs an id')
  return {
    ...task,
    after: refs(made.after),
    depends_on: refs(made.depends_on),
    based_on: refs(made.based_on),
    ...(above != null && { parent: refOfName(above) }),
  }
}

function refuseCycles(tasks: readonly Task[]): void {
  const ids = new Map(tasks.map((task) => [task.uid, task.id]))
  const loop = findCycle(new Map(tasks.map((task) => [task.uid, dependenciesOf(task).map(uidOf)])))
  if (!loop) return
  const names = loop.map((uid) => ids.get(uid) ?? uid)
  throw new UserError('DEPENDENCY_CYCLE', `These tasks wait for each other: ${names.join(' → ')}`, {
    hint: 'Nothing was imported. Leave out one of these links.',
  })
}
