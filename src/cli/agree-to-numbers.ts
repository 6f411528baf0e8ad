import { UserError } from '../core/user-error.ts'
import { sharedNumbers } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { CallContext, GlobalFlags } from './call-context.ts'
import { inWorkspace } from './in-workspace.ts'
import { asksYes } from './terminal/input.ts'

/**
 * Asks before a number is used that meant another task before a merge: the person may mean that one. Without a
 * terminal it is refused, because an id says what is meant.
 */
export async function agreeToNumbers(context: CallContext, flags: GlobalFlags, refs: readonly string[]): Promise<void> {
  if (!refs.some((ref) => /^\s*#?\d+\s*$/.test(ref))) return
  // Agents are not asked: the command itself refuses them.
  const shared = await inWorkspace(context, flags, (ws) =>
    ws.actor.mode === 'agent' ? [] : sharedNumbers(readLedger(ws), refs),
  )
  // The command reads the ledger again, and repeats what is to be said about it.
  context.warnings.splice(0)
  const canAsk = !flags.json && (await context.isTerminal(0))
  for (const { number, ids, words } of shared) {
    if (canAsk && asksYes(context, `${words}. Do you mean ${ids[0]}?`)) continue
    throw new UserError('NUMBER_REUSED', words, {
      hint: `Nothing was changed. Use the id instead of ${number}: ${ids.join(' or ')}`,
    })
  }
}
