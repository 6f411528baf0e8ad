import { readTree } from '../../../workspace/views/read-outline.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderTree } from '../../render/look/tree.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  plan?: string
  all: boolean
  numbers: boolean
}

export default async function tree(this: CallContext, flags: Flags, ref?: string): Promise<void> {
  const { plan, all, numbers } = flags
  const lines = await inWorkspace(this, flags, (ws) => readTree(ws, { ref, plan, all, cwd: this.cwd }))
  printResult(this, flags, lines, renderTree(lines, this.display, { numbers }))
  if (lines.length === 0 && !flags.json) this.err.write('Nothing is left to do.\n')
}
