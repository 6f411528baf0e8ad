import { readInbox } from '../../../reports/read-inbox.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printFields } from '../../print-fields.ts'
import { inboxFields, renderInbox } from '../../render/watch/inbox.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function inbox(this: CallContext, flags: OutputFlags): Promise<void> {
  const { limit, json } = flags
  if (flags.fields !== undefined) return printFields(this, flags, { kind: 'entry', read: readFields })
  const items = await inWorkspace(this, flags, readInbox)
  const cut = openRowCut(this, limit)
  const shown = json ? limitRows(items, limit) : cut.take(items)
  printResult(this, flags, [...shown].map(inboxFields), renderInbox(shown, this.display))
  reportLeft(this, cut)
  if (items.length === 0 && !json) this.err.write('Nothing needs you.\n')
}

async function readFields(ws: Workspace): Promise<object[]> {
  return (await readInbox(ws)).map(inboxFields)
}
