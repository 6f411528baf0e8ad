import { printable } from '../../../core/text/printable.ts'
import { showText } from '../../../workspace/texts/show-text.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { wrapLines } from '../../terminal/hanging-lines.ts'
import { printResult } from '../../terminal/print.ts'

/** One of the texts of a task: byte for byte, except for what a terminal would obey, and wrapped on one. */
export async function printText(context: CallContext, flags: GlobalFlags, ref: string, name?: string): Promise<void> {
  const shown = await inWorkspace(context, flags, (ws) => showText(ws, ref, name))
  const text = printable(shown.text.replace(/\n$/, ''), { multiline: true })
  printResult(context, flags, shown, [wrapLines(text, context.display)])
}
