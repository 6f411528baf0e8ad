import { sentenceText } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { remoteNotes } from '../../../reports/doctor/remote-findings.ts'
import { warnOfDeadRuns } from '../../../runs/watch/dead-runs.ts'
import { reportLeftTasks } from '../../../tasks/move/report-left-tasks.ts'
import { type GroupStatus, groupStatus, groupViews } from '../../../workspace/views/groups/group-status.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printFields } from '../../print-fields.ts'
import { condenseStatus, renderCondensed } from '../../render/look/condensed-status.ts'
import { emptyList } from '../../render/look/list.ts'
import { renderGroupStatus, renderStatus } from '../../render/look/status.ts'
import { limitRows, linesAtMost, openRowCut, reportShown } from '../../terminal/cut-rows.ts'
import { programOf } from '../../terminal/display.ts'
import { type Page, printPage } from '../../terminal/page.ts'
import { type JsonList, openJsonList, printLines } from '../../terminal/print.ts'

export default async function status(this: CallContext, flags: OutputFlags, group?: string): Promise<void> {
  if (flags.fields !== undefined) return printFields(this, flags, { kind: 'task', read: (ws) => viewsOf(ws, group) })
  if (flags.json)
    return void (await printPage(this, flags, (ws, page) =>
      printViews(ws, openJsonList(page, this.display.name), { flags, group }),
    ))
  const { shown, total, ledger } = await printPage(this, flags, (ws, page) => {
    warn(ws)
    return { ...printText(this, page, { flags, group, groups: groupStatus(ws, group) }), ledger: ws.ledger }
  })
  reportShown(this, flags, { shown, total })
  if (total === 0) this.err.write(`${emptyList(ledger, this.display)}\n`)
  const notes = group === undefined ? await inWorkspace(this, flags, remoteNotes) : []
  for (const note of notes) this.err.write(`${printable(sentenceText(note, programOf(this.display.name)))}\n`)
}

function warn(ws: Workspace): void {
  warnOfDeadRuns(ws)
  reportLeftTasks(ws)
}

interface Asked {
  flags: OutputFlags
  group: string | undefined
}

function printText(
  context: CallContext,
  page: Page,
  { flags, group, groups }: Asked & { groups: readonly GroupStatus[] },
): { shown: number; total: number } {
  const total = groups.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const room = flags.limit === undefined ? linesAtMost(context, total) : null
  const condensed = room === null ? null : condenseStatus(groups, room)
  if (condensed !== null) {
    printLines(page, renderCondensed(condensed, context.display, group))
    return condensed
  }
  const [only, ...others] = firstTasks(groups, flags.limit)
  const isOneGroup = group !== undefined && only !== undefined
  printLines(
    page,
    isOneGroup
      ? renderGroupStatus(only, context.display)
      : renderStatus(only === undefined ? [] : [only, ...others], context.display),
  )
  return { shown: total, total }
}

/** The first tasks of all groups, and only the groups that they are in. */
function firstTasks(groups: readonly GroupStatus[], limit: number | undefined): GroupStatus[] {
  if (limit === undefined) return [...groups]
  const cut = openRowCut({ env: {} }, limit)
  const first = groups.map(({ group, tasks }) => ({ group, tasks: [...cut.take(tasks)] }))
  return first.filter(({ tasks }) => tasks.length > 0)
}

function printViews(ws: Workspace, list: JsonList, { flags: { limit }, group }: Asked): void {
  warn(ws)
  let room = limit ?? Number.POSITIVE_INFINITY
  for (const { group: name, tasks, count } of groupViews(ws, group)) {
    if (room <= 0) break
    list.addWithList({ group: name }, 'tasks', limitRows(tasks, room < count ? room : undefined))
    room -= count
  }
  list.end()
}

function* viewsOf(ws: Workspace, group: string | undefined): Iterable<object> {
  warn(ws)
  for (const { tasks } of groupViews(ws, group)) yield* tasks
}
