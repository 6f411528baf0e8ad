import { undoChange } from '../../tasks/undo/undo-change.ts'
import { defineAction, ledgerCommit } from './action.ts'

/** `shown`: the ledger commit that the person was shown. */
export default defineAction({
  name: 'undo',
  input: { shown: ledgerCommit.optional() },
  act: (ws, { shown }) => undoChange(ws, { shown }),
})
