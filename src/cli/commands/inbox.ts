import { readInbox } from '../../app/engine/inbox.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderInbox } from '../render/runs.ts'

export default async function inbox(this: Face, flags: GlobalFlags): Promise<void> {
  const items = await inWorkspace(this, flags, readInbox)
  printResult(this, flags, items, renderInbox(items, this.look))
  if (items.length === 0 && !flags.json) this.err.write('Nothing needs you.\n')
}
