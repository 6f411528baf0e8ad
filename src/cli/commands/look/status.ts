import { sentenceText } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { remoteNotes } from '../../../reports/doctor/remote-findings.ts'
import { warnOfDeadRuns } from '../../../runs/watch/dead-runs.ts'
import { reportLeftTasks } from '../../../tasks/move/report-left-tasks.ts'
import { groupStatus, groupViews } from '../../../workspace/views/group-status.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { emptyList } from '../../render/look/list.ts'
import { renderGroupStatus, renderStatus } from '../../render/look/status.ts'
import { programOf } from '../../terminal/display.ts'
import { type Page, printPage } from '../../terminal/page.ts'
import { openJsonList, printLines } from '../../terminal/print.ts'

export default async function status(this: CallContext, flags: GlobalFlags, group?: string): Promise<void> {
  const print = (ws: Workspace, page: Page) => {
    warnOfDeadRuns(ws)
    reportLeftTasks(ws)
    if (flags.json) return printViews(ws, page, group)
    const groups = groupStatus(ws, group)
    const [only] = groups
    const isOneGroup = group !== undefined && only !== undefined
    printLines(page, isOneGroup ? renderGroupStatus(only, this.display) : renderStatus(groups, this.display))
    return { isEmpty: groups.length === 0, ledger: ws.ledger }
  }
  const { isEmpty, ledger } = await printPage(this, flags, print)
  if (flags.json) return
  if (isEmpty) this.err.write(`${emptyList(ledger, this.display)}\n`)
  const notes = group === undefined ? await inWorkspace(this, flags, remoteNotes) : []
  for (const note of notes) this.err.write(`${printable(sentenceText(note, programOf(this.display.name)))}\n`)
}

function printViews(ws: Workspace, page: Page, group: string | undefined) {
  const list = openJsonList(page)
  for (const { group: name, tasks } of groupViews(ws, group)) list.addWithList({ group: name }, 'tasks', tasks)
  list.end()
  return { isEmpty: false, ledger: ws.ledger }
}
