import { command, sentenceText } from '../../../core/sentence.ts'
import { isFinished, isUnstarted } from '../../../core/task/status-predicates.ts'
import { plural } from '../../../core/text/plural.ts'
import type { GroupStatus } from '../../../workspace/views/groups/group-status.ts'
import type { StatusTask } from '../../../workspace/views/views.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { cutTo } from '../../terminal/fit-to.ts'
import { shareLines } from '../share-lines.ts'
import { heading, renderTypedRows } from './status.ts'

/** The status of more tasks than fit into some lines: counts for each group, and the tasks that matter most. */
export interface CondensedStatus {
  groups: { group: string | null; all: readonly StatusTask[]; tasks: StatusTask[] }[]
  /** Groups that are not shown at all. */
  leftGroups: number
  /** All tasks, counted by status. */
  counts: string
  shown: number
  total: number
}

/** Null if everything fits. */
export function condenseStatus(all: readonly GroupStatus[], room: number): CondensedStatus | null {
  const groups = all.filter(({ tasks }) => tasks.length > 0)
  const total = groups.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const headings = groups.some(({ group }) => group !== null) ? 2 * groups.length - 1 : 0
  if (total + headings <= room) return null
  const isTooMany = groups.length * 2 > room
  // Of so many groups, some are shown with tasks: one for the heading, two for tasks, and one for how many more there are.
  const most = isTooMany ? Math.max(1, Math.floor((room - 2) / 4)) : groups.length
  const first = new Set(byInterest(groups).slice(0, most))
  const kept = groups.filter((group) => first.has(group))
  const leftGroups = groups.length - kept.length
  const given = shareLines(
    kept.map(({ tasks }) => tasks.length),
    room - kept.length - (leftGroups > 0 ? 2 : 0),
  )
  const condensed = kept.map(({ group, tasks }, at) => {
    const lines = given[at] ?? 0
    // The last line says how many more there are.
    return { group, all: tasks, tasks: chooseTasks(tasks, lines < tasks.length ? Math.max(0, lines - 1) : lines) }
  })
  const shown = condensed.reduce((sum, { tasks }) => sum + tasks.length, 0)
  return { groups: condensed, leftGroups, counts: countWords(groups.flatMap(({ tasks }) => tasks)), shown, total }
}

/** Groups in which something runs, then those with failed tasks, then those with open ones. */
function byInterest(groups: readonly GroupStatus[]): GroupStatus[] {
  const ranked = groups.map((group) => ({ group, rank: Math.min(...group.tasks.map(rank)) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ group }) => group)
}

/** What runs, then what failed, then what waits, then what was finished last. They stay in their order. */
function chooseTasks(tasks: readonly StatusTask[], most: number): StatusTask[] {
  if (tasks.length <= most) return [...tasks]
  const ranked = tasks.toSorted((a, b) => rank(a) - rank(b) || (isFinished(a) ? closedLater(a, b) : 0))
  const chosen = new Set(ranked.slice(0, most))
  return tasks.filter((task) => chosen.has(task))
}

function rank(task: StatusTask): number {
  if (task.status === 'in_progress') return 0
  if (task.status === 'failed') return 1
  return isUnstarted(task) ? 2 : 3
}

function closedLater(a: StatusTask, b: StatusTask): number {
  return (b.closed_at ?? '') > (a.closed_at ?? '') ? 1 : -1
}

/** `only` is the group that was asked for. */
export function* renderCondensed(
  { groups, leftGroups, counts, total }: CondensedStatus,
  display: Display,
  only: string | undefined,
): Iterable<string> {
  const program = programOf(display.name)
  const isGrouped = only !== undefined || leftGroups > 0 || groups.some(({ group }) => group !== null)
  const rows = renderTypedRows(
    groups.map(({ tasks }) => tasks),
    display,
  )
  if (leftGroups > 0) yield display.style.bold(fitted(`${plural(total, 'task')} (${counts})`, display))
  for (const [at, { group, all, tasks }] of groups.entries()) {
    const name = isGrouped ? `${heading(group)}  ` : ''
    yield display.style.bold(fitted(`${name}${plural(all.length, 'task')} (${countWords(all)})`, display))
    yield* rows[at] ?? []
    if (tasks.length === all.length || (tasks.length === 0 && groups.length > 1)) continue
    const isWhole = group === null || group === only
    const rest = isWhole ? command`status ${only ?? []} --limit ${total}` : command`status ${group}`
    yield display.style.dim(
      fitted(`  … and ${all.length - tasks.length} more: ${sentenceText(rest, program)}`, display),
    )
  }
  if (leftGroups > 0)
    yield display.style.dim(
      fitted(`… and ${plural(leftGroups, 'more group')}: ${sentenceText(command`groups`, program)}`, display),
    )
}

function fitted(text: string, display: Display): string {
  return display.width === null ? text : cutTo(text, display.width)
}

const ORDER = ['in_progress', 'failed', 'pending', 'completed', 'skipped'] as const

/** A blocked task is pending, as in its row. */
function countWords(tasks: readonly StatusTask[]): string {
  const counts = new Map<string, number>()
  for (const task of tasks) {
    const word = isUnstarted(task) ? 'pending' : task.status
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return ORDER.flatMap((word) => (counts.has(word) ? [`${counts.get(word)} ${word}`] : [])).join(', ')
}
