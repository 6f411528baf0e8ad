import { basename } from 'node:path'
import { noteTask } from '../../../tasks/note-task.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderNoted } from '../../render/plan/changes.ts'
import { givenText, readInput } from '../../terminal/input.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  attach?: string[]
}

export default async function note(this: CallContext, flags: Flags, ref: string, text?: string): Promise<void> {
  const attached = (flags.attach ?? []).map((file) => ({ name: basename(file), text: readInput(this, file) }))
  const given = await givenText(this, text ?? attached[0]?.name)
  const task = await inWorkspace(this, flags, async (ws) => {
    if (given !== null) return noteTask(ws, ref, given, attached)
    const { useDraft } = await import('../../../tasks/use-draft.ts')
    return useDraft(ws, { initial: '', note: NOTE }, (written) => noteTask(ws, ref, written, attached))
  })
  printResult(this, flags, task, renderNoted(task, this.display))
}

const NOTE = 'Write the note above this line. If it is empty, nothing is added.'
