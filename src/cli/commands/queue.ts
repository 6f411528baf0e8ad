import { readQueue } from '../../app/landing/read-queue.ts'
import { printable } from '../../core/printable.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderQueue } from '../render/landing.ts'

export default async function queue(this: Face, flags: GlobalFlags & { into?: string }): Promise<void> {
  const { ledger, items } = await inWorkspace(this, flags, async (ws) => ({
    ledger: ws.ledger,
    items: await readQueue(ws, { into: flags.into }),
  }))
  printResult(this, flags, items, renderQueue(items, this.look))
  if (items.length === 0 && !flags.json) this.err.write(`Nothing of ${printable(ledger)} waits to land.\n`)
}
