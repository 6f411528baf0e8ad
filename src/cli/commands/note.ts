import { noteTask } from '../../app/note-task.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { givenText } from '../input.ts'
import { printResult } from '../print.ts'
import { renderNoted } from '../render/changes.ts'
import { useDraft } from '../use-draft.ts'

export default async function note(this: Face, flags: GlobalFlags, ref: string, text?: string): Promise<void> {
  const given = await givenText(this, text)
  const task = await inWorkspace(this, flags, (ws) => {
    if (given !== null) return noteTask(ws, ref, given)
    return useDraft(this, ws, { initial: '', note: NOTE }, (written) => noteTask(ws, ref, written))
  })
  printResult(this, flags, task, renderNoted(task, this.look))
}

const NOTE = 'Write the note above this line. An empty text adds nothing.'
