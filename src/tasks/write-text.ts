import { type Draft, editDraft } from '../platform/terminal/text-editor.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Asks the user for a text in their editor. */
export function writeText(ws: Workspace, initial: string, note: string): Draft {
  return editDraft(ws.repo, initial, note)
}
