import { sentenceText } from '../../../core/sentence.ts'
import { previewRevert, type RevertPreview } from '../../../tasks/undo/undo-change.ts'
import { defineResource } from '../resource.ts'

/** What `undo` would take back, and what `redo` would bring back. */
export default defineResource({
  path: 'undo',
  read: (ws) => ({ undo: shown(previewRevert(ws, 'undo')), redo: shown(previewRevert(ws, 'redo')) }),
})

function shown({ reverts, why }: RevertPreview) {
  const hint = why === null || why.hint === null ? null : sentenceText(why.hint)
  return { reverts, why: why && { message: sentenceText(why.message), hint } }
}
