import { sentenceText } from '../../../core/sentence.ts'
import { listChoices } from '../../../runs/claims/list-choices.ts'
import { defineResource } from '../resource.ts'

/** What the fields of a form can be set to, and whether work can be started here. */
export default defineResource({
  path: 'choices',
  read: async (ws) => {
    const { not_trusted: why, ...choices } = await listChoices(ws)
    const hint = why?.hint === undefined ? null : sentenceText(why.hint)
    return { ...choices, not_trusted: why && { message: sentenceText(why.fact), hint } }
  },
})
