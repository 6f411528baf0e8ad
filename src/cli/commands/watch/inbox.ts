import { readInbox } from '../../../reports/read-inbox.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderInbox } from '../../render/watch/runs.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function inbox(this: Face, flags: GlobalFlags): Promise<void> {
  const items = await inWorkspace(this, flags, readInbox)
  printResult(this, flags, items, renderInbox(items, this.display))
  if (items.length === 0 && !flags.json) this.err.write('Nothing needs you.\n')
}
