import { writeText } from '../../tasks/write-text.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CallContext } from '../call-context.ts'

interface Request {
  initial: string
  note: string
}

/** Asks for a text in the editor and uses it. If the use fails, the text is kept. */
export async function useDraft<T>(
  context: CallContext,
  ws: Workspace,
  { initial, note }: Request,
  use: (text: string) => T | Promise<T>,
): Promise<T> {
  const draft = writeText(ws, initial, note)
  try {
    const result = await use(draft.text)
    draft.discard()
    return result
  } catch (error) {
    if (draft.text === '') draft.discard()
    else context.warnings.push(`Your text is kept in ${draft.path}`)
    throw error
  }
}
