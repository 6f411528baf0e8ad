import { printable } from '../../../core/text/printable.ts'
import { readQueue } from '../../../landing/read-queue.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderQueue } from '../../render/land/landing.ts'
import { printResult } from '../../terminal/print.ts'

export default async function queue(this: CallContext, flags: GlobalFlags & { into?: string }): Promise<void> {
  const { ledger, items } = await inWorkspace(this, flags, async (ws) => ({
    ledger: ws.ledger,
    items: await readQueue(ws, { into: flags.into }),
  }))
  printResult(this, flags, items, renderQueue(items, this.display))
  if (items.length === 0 && !flags.json) this.err.write(`No task of ${printable(ledger)} is waiting to land.\n`)
}
