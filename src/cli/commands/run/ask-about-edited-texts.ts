import { takeInText } from '../../../tasks/take-in-text.ts'
import { editedTexts } from '../../../workspace/texts/copies.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { asksYes } from '../../terminal/input.ts'

/**
 * Before agents start: a plan that somebody changed is taken in only if the person at the terminal says so. Otherwise
 * it is only named.
 */
export async function askAboutEditedTexts(context: CallContext, flags: GlobalFlags): Promise<void> {
  const canAsk = !flags.json && (await context.isTerminal(0))
  await inWorkspace(context, flags, (ws) => {
    if (ws.actor.mode !== 'human') return
    for (const { number, copy, isDoubtful, sentence } of editedTexts(ws)) {
      const doubt = isDoubtful ? ' It changed while an agent was running.' : ''
      if (canAsk && asksYes(context, `${copy} is edited.${doubt} Take it in as the text of #${number}?`))
        takeInText(ws, String(number), copy)
      else ws.warnings.push(sentence)
    }
  })
}
