import { readTree } from '../../../workspace/views/read-outline.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printFields } from '../../print-fields.ts'
import { renderTree } from '../../render/look/tree.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends OutputFlags {
  plan?: string
  all: boolean
  numbers: boolean
}

export default async function tree(this: CallContext, flags: Flags, ref?: string): Promise<void> {
  const { plan, all, numbers, limit } = flags
  const read = (ws: Workspace) => readTree(ws, { ref, plan, all, cwd: this.cwd })
  if (flags.fields !== undefined) return printFields(this, flags, { kind: 'line', read })
  const lines = await inWorkspace(this, flags, read)
  const cut = openRowCut(this, limit)
  const shown = flags.json ? limitRows(lines, limit) : cut.take(lines)
  printResult(this, flags, shown, renderTree([...shown], this.display, { numbers }))
  reportLeft(this, cut)
  if (lines.length === 0 && !flags.json) this.err.write('Nothing is left to do.\n')
}
