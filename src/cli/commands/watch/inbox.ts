import { readInbox } from '../../../reports/read-inbox.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderInbox } from '../../render/watch/inbox.ts'
import { printResult } from '../../terminal/print.ts'

export default async function inbox(this: CallContext, flags: GlobalFlags): Promise<void> {
  const items = await inWorkspace(this, flags, readInbox)
  printResult(this, flags, items, renderInbox(items, this.display))
  if (items.length === 0 && !flags.json) this.err.write('Nothing needs you.\n')
}
