import { undoChange } from '../../app/undo-change.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderUndone } from '../render/ledgers.ts'

export default async function undo(this: Face, flags: GlobalFlags): Promise<void> {
  const result = await inWorkspace(this, flags, (ws) => undoChange(ws))
  printResult(this, flags, result, renderUndone(result))
}
