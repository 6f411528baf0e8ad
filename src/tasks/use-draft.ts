import { editDraft } from '../platform/terminal/text-editor.ts'
import type { Workspace } from '../workspace/workspace.ts'

interface Request {
  initial: string
  note: string
}

/** Asks the user for a text in their editor and uses it. The text is kept if its use fails. */
export async function useDraft<T>(
  ws: Workspace,
  { initial, note }: Request,
  use: (text: string) => T | Promise<T>,
): Promise<T> {
  const draft = editDraft(ws.repo, initial, note)
  try {
    const result = await use(draft.text)
    draft.discard()
    return result
  } catch (error) {
    if (draft.text === '') draft.discard()
    else ws.warnings.push(`Your text is kept in ${draft.path}`)
    throw error
  }
}
