import { redoChange } from '../../../tasks/undo/undo-change.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderReverted } from '../../render/plan/changes.ts'
import { printResult } from '../../terminal/print.ts'

export default async function redo(this: CallContext, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => redoChange(ws))
  printResult(this, flags, result, renderReverted(`Redone: ${result.redone}`, result, this.display))
}
