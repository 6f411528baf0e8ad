/**
 * JSONL in the ledger's own format: whole lines as `gza export` writes them, or hand-written ones with the required
 * fields.
 */

import { z } from 'zod'
import { whyNotForward } from '../../core/ledger/forward-steps.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { addNote, closeTask, type NewTask } from '../../core/task/operations.ts'
import { PRIORITIES, refOf, TASK_TYPES, type Task, type TaskRef } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { readTaskLine } from '../../ledger/read-task-line.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { withoutSecrets } from '../../tasks/redact-input.ts'
import { openTaskFactory } from '../../tasks/task-factory.ts'
import { findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { refuseTakenKey } from '../../workspace/ledger/taken-keys.ts'
import { checkedContent } from '../../workspace/views/field-input.ts'
import { containsNoTask, type Draft, type ImportInput, jsonList, nameOfInput } from './import-input.ts'

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
  locks: texts,
  milestone_id: z.string().nullish(),
  plan_file: z.string().nullish(),
  project: z.string().nullish(),
  branch: z.string().nullish(),
  assigned_agent: z.string().nullish(),
  linear_issue_id: z.string().nullish(),
  user_story: z.string().nullish(),
  estimated_complexity: z.enum(['low', 'medium', 'high']).nullish(),
  max_attempts: z.int().positive().nullish(),
  children: z.array(z.unknown()).optional(),
})
type HandMade = z.infer<typeof handMade>

export function draftLines(view: LedgerView, input: ImportInput): Draft {
  const create = openTaskFactory(view)
  const parsed = parseEntries(input).flatMap((entry): Parsed[] => (entry.kind === 'whole' ? [entry] : family(entry)))
  if (parsed.length === 0) throw containsNoTask(input)
  refuseWholeLines(view, parsed)
  const drafted = parsed.map(
    (entry): Drafted =>
      entry.kind === 'whole'
        ? entry
        : { ...entry, task: atLine(entry.where, () => fileFrom(view, create, entry.made)) },
  )
  const made = drafted.filter((entry) => entry.kind === 'made')
  const inFile: InFile = { byName: nameTasks(made), byItem: new Map(made.map(({ made, task }) => [made, task])) }
  const tasks = drafted.map((entry) =>
    entry.kind === 'made' ? atLine(entry.where, () => connect(view, entry, inFile)) : entry.task,
  )
  return { tasks, skipped: [] }
}

/** A line with a uid already is a task; a hand-written one becomes one. `where` names file and line. */
type Parsed = { kind: 'whole'; where: string; task: Task } | Made
interface Made {
  kind: 'made'
  where: string
  made: HandMade
  parent?: HandMade
}
type DraftedItem = Made & { task: Task }
type Drafted = Extract<Parsed, { kind: 'whole' }> | DraftedItem

function parseEntries(input: ImportInput): Parsed[] {
  const name = nameOfInput(input)
  const listed = jsonList(input.text)
  if (listed !== null) return listed.map((value, index) => parseEntry(value, `${name} entry ${index + 1}`))
  return input.text.split('\n').flatMap((line, index): Parsed[] => {
    if (line.trim() === '') return []
    const where = `${name} line ${index + 1}`
    return [parseEntry(parseJson(line, where), where, line)]
  })
}

function parseEntry(value: unknown, where: string, line = JSON.stringify(value)): Parsed {
  if (typeof value !== 'object' || value === null || !('uid' in value)) return readMade(value, where)
  if (!('salt' in value))
    throw badLine(
      where,
      sentence`a task in the format of --json, which lacks fields that a ledger needs; ${command`export --jsonl`} has all`,
    )
  return readWhole(line, where)
}

function readWhole(line: string, where: string): Parsed {
  const read = readTaskLine(line)
  const why = 'why' in read ? read.why : whyNotForward(null, read.task, 'human')
  if (why !== null || 'why' in read) throw badLine(where, why ?? '')
  return { kind: 'whole', where, task: read.task }
}

function readMade(value: unknown, where: string, parent?: HandMade): Made {
  const parsed = handMade.safeParse(value)
  if (parsed.success) return { kind: 'made', where, made: parsed.data, ...(parent && { parent }) }
  const issue = parsed.error.issues[0]
  const place = [...(parent ? ['children'] : []), ...(issue?.path ?? [])].join('.')
  throw badLine(where, `${place || 'line'}: ${issue?.message}`)
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw badLine(where, 'not JSON')
  }
}

function badLine(where: string, why: Sentence): UserError {
  return new UserError('BAD_IMPORT', sentence`${where}: ${why}`, {
    hint: 'Nothing was imported. Correct the line and import again.',
  })
}

/** An error in a line is reported with its number, wherever it is found. */
function atLine<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof UserError ? badLine(where, error.fact) : error
  }
}

/** An item and the items nested in it, parents first. No recursion, because a file may nest them to any depth. */
function family(first: Made): Made[] {
  const members: Made[] = []
  const waiting = [first]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    members.push(next)
    const { where, made } = next
    for (const child of made.children?.toReversed() ?? []) waiting.push(readMade(child, where, made))
  }
  return members
}

/** A line with a uid contains its own authors and times: only people may import it, like a sync. */
function refuseWholeLines({ ws }: LedgerView, parsed: readonly Parsed[]): void {
  const whole = parsed.find(({ kind }) => kind === 'whole')
  if (whole === undefined || ws.actor.mode === 'human') return
  throw new UserError('AGENT_MODE', `${whole.where} is a task of another ledger, which only people import`, {
    hint: 'Agents import checklists, and lines such as {"content":"What is to be done"}',
  })
}

/** An agent files in its own name and at the present time: it may not state who did what when. */
function inOwnName(view: LedgerView, made: HandMade): HandMade {
  if (view.ws.actor.mode === 'human') return made
  const notes = withoutSecrets(view.ws, made.notes, 'note')
  return {
    ...made,
    notes,
    created_at: undefined,
    created_by: undefined,
    closed_at: undefined,
    closed_commit: undefined,
  }
}

function fileFrom(view: LedgerView, create: ReturnType<typeof openTaskFactory>, line: HandMade): Task {
  const task = createFrom(view, create, line)
  refuseTakenKey(view, task)
  return task
}

function createFrom(view: LedgerView, create: ReturnType<typeof openTaskFactory>, line: HandMade): Task {
  const made = inOwnName(view, line)
  const { content, type, priority, title, acceptance_criteria, files_to_create, files_to_modify, test_files, locks } =
    made
  const optional = {
    group: made.group,
    key: made.key,
    milestone_id: made.milestone_id,
    plan_file: made.plan_file,
    project: made.project,
    branch: made.branch,
    assigned_agent: made.assigned_agent,
    linear_issue_id: made.linear_issue_id,
    user_story: made.user_story,
    estimated_complexity: made.estimated_complexity,
    max_attempts: made.max_attempts,
  }
  const lists = { acceptance_criteria, files_to_create, files_to_modify, test_files, locks }
  const fields = Object.fromEntries(
    Object.entries({ type, priority, title, ...lists, ...optional }).filter(([, value]) => value != null),
  )
  const at = made.created_at === undefined ? view.ws.now() : isoSeconds(made.created_at)
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
    { at: made.closed_at ? isoSeconds(made.closed_at) : now, by },
    { head: null, branch: null, commits },
  )
}

function namesOf(made: HandMade): string[] {
  return [...new Set([made.id, made.key].flatMap((own) => (own == null ? [] : [String(own)])))]
}

/** Keys are found in any case. */
function keyOf({ key }: HandMade): string | undefined {
  return key?.toLowerCase()
}

/** The tasks of the file, by the names that its references use and by the items they came from. */
interface InFile {
  byName: ReadonlyMap<string, Task>
  byItem: ReadonlyMap<HandMade, Task>
}

function nameTasks(items: readonly DraftedItem[]): Map<string, Task> {
  const byName = new Map<string, Task>()
  const keys = new Set<string | undefined>()
  for (const { made, task, where } of items) {
    const twice = namesOf(made).find((name) => byName.has(name)) ?? (keys.has(keyOf(made)) ? made.key : undefined)
    if (twice != null) throw badLine(where, `another line already has the name ${twice}`)
    for (const name of namesOf(made)) byName.set(name, task)
    if (made.key != null) keys.add(keyOf(made))
  }
  return byName
}

/** References name tasks of the same file by their id or key there, otherwise tasks of the ledger. */
function connect(view: LedgerView, { made, parent, task }: DraftedItem, { byName, byItem }: InFile): Task {
  const refOfName = (name: string): TaskRef => refOf(byName.get(name) ?? findTask(view, name))
  const refs = (value: HandMade['after']) => [...new Set((value == null ? [] : [value].flat()).map(refOfName))]
  const above = parent && byItem.get(parent)
  const named = above ? refOf(above) : made.parent == null ? null : refOfName(made.parent)
  return {
    ...task,
    after: refs(made.after),
    depends_on: refs(made.depends_on),
    based_on: refs(made.based_on),
    ...(named !== null && { parent: named }),
  }
}
