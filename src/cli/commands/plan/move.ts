import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import type { Chosen } from '../../../tasks/move/choose-moved-tasks.ts'
import { moveTasks } from '../../../tasks/move/move-tasks.ts'
import { nameLedgers } from '../../../tasks/move/name-ledgers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderMoved } from '../../render/plan/move.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  open: boolean
  all: boolean
  from?: string
  to?: string
}

export default async function move(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  const chosen = chosenBy(flags, refs)
  const spansLedgers = flags.from !== undefined && flags.to !== undefined
  const report = await inWorkspace(this, flags, (ws) => moveTasks(ws, { ...nameLedgers(ws, flags), chosen }), {
    spansLedgers,
  })
  printResult(this, flags, report, renderMoved(report, this.display))
  if (report.moved.length === 0 && !flags.json) this.err.write('Nothing to move.\n')
}

function chosenBy({ open, all }: Flags, refs: readonly string[]): Chosen {
  const ways = [refs.length > 0, open, all].filter(Boolean).length
  if (ways === 1) return refs.length > 0 ? { refs } : { which: open ? 'open' : 'all' }
  throw new UserError('USAGE', ways === 0 ? 'Which tasks?' : 'Name tasks, or use --open, or --all', {
    hint: sentence`${command`move 3 --to BRANCH`}, or ${command`move --open --from BRANCH`}`,
    exitCode: 2,
  })
}
