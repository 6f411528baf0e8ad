/**
 * Reads a line that has only what most tasks have, exactly as gza writes it: a third of the time of parsing it, checking
 * it and writing it again. What is accepted here, the schema accepts too, with the same result, and taskLine gives the
 * same text; everything else is left to them.
 */
import { STATUSES, type Task } from '../core/task/task.ts'

/** The task of the line; null: others must decide. */
export function readUsualLine(line: string): Task | null {
  pattern ??= new RegExp(source())
  const found = pattern.exec(line)
  if (found === null) return null
  const [, id, content, status, createdAt, createdBy, after, closedAt, closedCommit, uid, salt, number, ...late] = found
  if (!(uid as string).startsWith((id as string).slice('task-'.length))) return null
  const task = {
    id,
    content,
    status,
    created_at: createdAt,
    created_by: createdBy,
    after: refsOf(after as string),
    closed_at: closedAt ?? null,
    closed_commit: closedCommit ?? null,
    notes: NONE,
    // Kept longer than the task, and a text that is cut out of another one keeps all of that in memory: so a new one.
    uid: ` ${uid}`.slice(1),
    salt,
    number: Number(number),
    type: 'task',
    priority: 'medium',
    generation: 0,
    link: 0,
    depends_on: NONE,
    based_on: NONE,
    renumbered: NONE,
    commits: NONE,
    edits: NONE,
    runs: NONE,
    phases: NONE,
    landings: NONE,
  } as unknown as Task
  for (let at = 0; at < LATE.length; at++) if (late[at] !== undefined) task[LATE[at] as Late] = late[at] as string
  return task
}

/** One reference is written without a list. */
function refsOf(after: string): readonly string[] {
  if (after === 'null') return NONE
  return after.startsWith('[') ? JSON.parse(after) : [after.slice(1, -1)]
}

/** One for all: eleven empty lists for each task would be most of what 100,000 lines take. Nobody changes a task's lists. */
const NONE: readonly never[] = Object.freeze([])

/** Made when a line is first read: commands with a current index read none. */
let pattern: RegExp | undefined

/** The optional fields in the order in which they are written. */
const LATE = ['created_head', 'closed_by', 'closed_head', 'closed_branch'] as const
type Late = (typeof LATE)[number]

/** Text that JSON writes as it is. Half of a surrogate pair would be escaped, so such characters are left to others. */
const TEXT = '"([^"\\\\\\u0000-\\u001f\\ud800-\\udfff]*)"'

const REF = '"task-[0-9a-f]{40}"'

function source(): string {
  const required = [
    ['id', '"(task-[0-9a-f]{4,40})"'],
    ['content', TEXT],
    ['status', `"(${STATUSES.join('|')})"`],
    ['created_at', TEXT],
    ['created_by', TEXT],
    ['after', `(null|${REF}|\\[${REF}(?:,${REF})+\\])`],
    ['closed_at', `(?:null|${TEXT})`],
    ['closed_commit', `(?:null|${TEXT})`],
    ['notes', '\\[\\]'],
    ['uid', '"([0-9a-f]{40})"'],
    ['salt', TEXT],
    // LAST_NUMBER has one digit more.
    ['number', '([1-9][0-9]{0,8})'],
  ]
  const optional = LATE.map((name) => `(?:,"${name}":${TEXT})?`)
  return `^\\{${required.map(([name, value]) => `"${name}":${value}`).join(',')}${optional.join('')}\\}$`
}
