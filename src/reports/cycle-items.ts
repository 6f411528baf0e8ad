import { shortestCycles } from '../core/graph/dependency-cycles.ts'
import { type CommandWord, commandLine } from '../core/sentence.ts'
import { refOf, type Task, uidOf } from '../core/task/task.ts'
import { partEntries } from '../state/index/family-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { cycleSteps } from '../tasks/checks/cycle-steps.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { nameBy } from '../workspace/views/task-status.ts'
import type { InboxItem } from './inbox-item.ts'
import { openNeeds } from './read-deadlock.ts'

/** Dependency cycles among open tasks. Only a merge can create one: edits and imports that would are refused. */
export function cycleItems(view: LedgerView): InboxItem[] {
  return shortestCycles(closedUnderNeeds(view)).flatMap((cycle): InboxItem[] => {
    const [first] = cycle
    if (first === undefined) return []
    const task = nameBy(view, first)
    const detail = `${cycleSteps(view, cycle)} ${cycle.length === 1 ? 'waits for itself' : 'wait for each other'}`
    return [{ task, code: 'DEADLOCK', detail, commands: [commandLine`graph ${task.number}`, ...breaking(view, cycle)] }]
  })
}

function closedUnderNeeds(view: LedgerView): Map<string, readonly string[]> {
  const needs = new Map(openNeeds(view))
  for (const uid of [...needs.values()].flat()) if (!needs.has(uid)) needs.set(uid, [])
  return needs
}

interface Link {
  task: Task
  needed: string
  /** When the dependency was added. */
  at: string
}

/**
 * The edit that removes only the newest dependency of the cycle; without one, the edit that removes a child's parent.
 */
function breaking(view: LedgerView, cycle: readonly string[]): string[] {
  const links = cycle.flatMap((uid, at): Link[] => {
    const task = taskOf(view.ws.state, view.row.lid, uid)
    const needed = cycle[(at + 1) % cycle.length] ?? uid
    const fields = task === null ? [] : fieldsNaming(task, needed)
    return task === null || fields.length === 0 || !isNameable(view, task, fields) ? [] : [linkOf(task, needed, fields)]
  })
  const youngest = links.reduce<Link | null>((last, link) => (last !== null && last.at > link.at ? last : link), null)
  if (youngest !== null) return [editWithout(view, youngest)]
  const children = partEntries(view.ws.state, view.row.lid)
  const [child] = children.filter(({ uid, parent }) => cycle.includes(uid) && cycle.includes(parent ?? ''))
  return child === undefined ? [] : [commandLine`edit ${child.number} --parent ""`]
}

const FIELDS = ['after', 'depends_on', 'based_on'] as const
type Field = (typeof FIELDS)[number]

function fieldsNaming(task: Task, needed: string): Field[] {
  return FIELDS.filter((field) => task[field].includes(refOf({ uid: needed })))
}

/** The edit replaces the whole list, so every task that stays in it must be known here. */
function isNameable(view: LedgerView, task: Task, fields: readonly Field[]): boolean {
  return fields.every((field) => task[field].every((ref) => entry(view, uidOf(ref)) !== undefined))
}

function linkOf(task: Task, needed: string, fields: readonly Field[]): Link {
  const edited = task.edits.filter(({ field }) => fields.includes(field as Field)).map(({ at }) => at)
  return { task, needed, at: edited.sort().at(-1) ?? task.created_at }
}

/** An empty text as people type it. */
const NOTHING: CommandWord = { unquoted: '""' }

function editWithout(view: LedgerView, { task, needed }: Link): string {
  const flags = fieldsNaming(task, needed).flatMap((field): CommandWord[] => {
    const flag = `--${field.replace('_', '-')}`
    const rest = task[field].flatMap((ref) => entry(view, uidOf(ref)) ?? [])
    const kept = rest.filter(({ uid, deleted }) => uid !== needed && !deleted)
    return kept.length === 0 ? [flag, NOTHING] : kept.flatMap(({ number }) => [flag, String(number)])
  })
  return commandLine`edit ${entry(view, task.uid)?.number ?? task.number} ${flags}`
}
