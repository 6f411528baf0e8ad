import { findPosition } from '../../../workspace/views/read-outline.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderPosition } from '../../render/look/tree.ts'
import { printResult } from '../../terminal/print.ts'

export default async function where(this: CallContext, flags: GlobalFlags & { plan?: string }): Promise<void> {
  const found = await inWorkspace(this, flags, (ws) => findPosition(ws, { plan: flags.plan, cwd: this.cwd }))
  printResult(this, flags, found, renderPosition(found, this.display))
}
