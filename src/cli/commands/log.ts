import { taskHistory } from '../../app/history.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderHistory } from '../render/ledgers.ts'

export default async function log(this: Face, flags: GlobalFlags & { limit?: number }, ref?: string): Promise<void> {
  const entries = await inWorkspace(this, flags, (ws) => taskHistory(ws, ref, { limit: flags.limit }))
  printResult(this, flags, entries, renderHistory(entries, this.look))
}
