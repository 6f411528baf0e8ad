import { redoChange } from '../../tasks/undo/undo-change.ts'
import { defineAction, ledgerCommit } from './action.ts'

/** `shown`: the ledger commit that the person was shown. */
export default defineAction({
  name: 'redo',
  input: { shown: ledgerCommit.optional() },
  act: (ws, { shown }) => redoChange(ws, { shown }),
})
