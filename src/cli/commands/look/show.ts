import { command } from '../../../core/sentence.ts'
import { showTask } from '../../../workspace/views/show-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { unexpectedTextName } from '../../flags/text-name.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderShow } from '../../render/look/show.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  text: boolean
}

export default async function show(this: CallContext, flags: Flags, ref: string, name?: string): Promise<void> {
  if (flags.text) return import('./print-text.ts').then(({ printText }) => printText(this, flags, ref, name))
  if (name !== undefined) throw unexpectedTextName(name, command`show ${ref} --text ${name}`)
  const task = await inWorkspace(this, flags, (ws) => showTask(ws, ref))
  printResult(this, flags, task, renderShow(task, this.display))
}
