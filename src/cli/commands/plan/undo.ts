import { undoChange } from '../../../tasks/undo-change.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderUndone } from '../../render/share/ledgers.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function undo(this: Face, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => undoChange(ws))
  printResult(this, flags, result, renderUndone(result))
}
