import { pruneLedgers } from '../../app/prune-ledgers.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderPruned } from '../render/ledgers.ts'

interface Flags extends GlobalFlags {
  'dry-run': boolean
  restore?: string
}

export default async function prune(this: Face, flags: Flags): Promise<void> {
  const { restore, 'dry-run': dryRun } = flags
  const result = await inWorkspace(this, flags, (ws) => pruneLedgers(ws, { dryRun, restore }), { spansLedgers: true })
  printResult(this, flags, result, renderPruned(result, { dryRun }))
}
