import { findPosition } from '../../app/read-outline.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderPosition } from '../render/tree.ts'

export default async function where(this: Face, flags: GlobalFlags & { plan?: string }): Promise<void> {
  const found = await inWorkspace(this, flags, (ws) => findPosition(ws, { plan: flags.plan, cwd: this.cwd }))
  printResult(this, flags, found, renderPosition(found, this.look))
}
