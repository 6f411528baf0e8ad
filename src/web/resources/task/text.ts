import { showText } from '../../../workspace/texts/show-text.ts'
import { defineResource } from '../resource.ts'

/** A plan, an exploration, a review or an attachment of a task. */
export default defineResource({
  path: 'tasks/:ref/texts/:name',
  hasTexts: true,
  read: (ws, { ref, name }) => showText(ws, ref, name),
})
