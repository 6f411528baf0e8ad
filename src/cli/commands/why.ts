import { whyTask } from '../../app/engine/why.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderWhy } from '../render/runs.ts'

export default async function why(this: Face, flags: GlobalFlags, ref: string): Promise<void> {
  const reason = await inWorkspace(this, flags, (ws) => whyTask(ws, ref))
  printResult(this, flags, reason, renderWhy(reason, this.look))
}
