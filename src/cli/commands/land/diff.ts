import { printable } from '../../../core/text/printable.ts'
import { diffTask } from '../../../landing/diff-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printResult } from '../../terminal/print.ts'

export default async function diff(
  this: CallContext,
  flags: GlobalFlags & { stat: boolean },
  ref: string,
): Promise<void> {
  const isScreen = this.display.width !== null
  const result = await inWorkspace(this, flags, (ws) => diffTask(ws, ref, { stat: flags.stat }))
  // Text written by agents must not control a terminal. A program gets it as git wrote it.
  const text = isScreen ? printable(result.text, { multiline: true }) : result.text
  printResult(this, flags, result, text === '' ? [] : [text.replace(/\n$/, '')])
}
