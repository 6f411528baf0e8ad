import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { publishWithout } from '../../../exchange/remote/publish-without.ts'
import { isIncomplete, syncLedgers } from '../../../exchange/remote/sync-ledger.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSynced } from '../../render/share/ledgers.ts'
import { printResult } from '../../terminal/print.ts'

export default async function sync(
  this: CallContext,
  flags: GlobalFlags & { without?: string },
  remote?: string,
): Promise<void> {
  const { without } = flags
  const exchange = async (ws: Workspace) => {
    if (without !== undefined) await publishWithout(ws, { remote, without })
    return syncLedgers(ws, { remote, only: flags.branch })
  }
  const result = await inWorkspace(this, flags, exchange, { spansLedgers: without === undefined })
  if (flags.branch !== undefined && result.ledgers.length === 0) throw nothingNamed(flags.branch, result.remote)
  printResult(this, flags, result, renderSynced(result))
  if (isIncomplete(result)) this.exitCode = 1
}

function nothingNamed(ledger: string, remote: string): UserError {
  return new UserError('NO_LEDGER', `There are no tasks of ${ledger}, here or on ${remote}`, {
    hint: sentence`${command`sync`} exchanges the tasks of all branches.`,
  })
}
