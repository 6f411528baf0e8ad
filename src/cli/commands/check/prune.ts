import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { pruneLedgers } from '../../../exchange/remote/prune/prune-ledgers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderPruned } from '../../render/check/checks.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  'dry-run': boolean
  restore?: string
  'move-to'?: string
  'archive-open': boolean
  remote: boolean
}

export default async function prune(this: CallContext, flags: Flags, remoteName?: string): Promise<void> {
  refuseUnclear(flags, remoteName)
  const { restore, remote, 'dry-run': dryRun, 'move-to': moveTo, 'archive-open': archiveOpen } = flags
  const options = { dryRun, restore, moveTo, archiveOpen, remote: remote ? (remoteName ?? true) : false }
  const result = await inWorkspace(this, flags, (ws) => pruneLedgers(ws, options), { spansLedgers: true })
  printResult(this, flags, result, renderPruned(result, { dryRun }))
  if (result.kept.length === 0) return
  this.warnings.push(DECIDE)
  if (!dryRun) this.exitCode = 1
}

const DECIDE = sentence`Open tasks are not archived unasked: ${command`prune --move-to BRANCH`} moves them, on hold; ${command`prune --archive-open`} archives them`

function refuseUnclear(
  { restore, 'move-to': moveTo, 'archive-open': archiveOpen, remote }: Flags,
  remoteName: string | undefined,
): void {
  const hint = sentence`${command`prune --move-to BRANCH`}, ${command`prune --archive-open`}, or ${command`prune --restore NAME`}`
  if (remoteName !== undefined && !remote)
    throw new UserError('USAGE', 'A remote is named only with --remote', {
      hint: command`prune --remote ${remoteName}`,
      exitCode: 2,
    })
  if (moveTo !== undefined && archiveOpen)
    throw new UserError('USAGE', '--move-to and --archive-open exclude each other', { hint, exitCode: 2 })
  if (restore !== undefined && (moveTo !== undefined || archiveOpen || remote))
    throw new UserError('USAGE', '--restore cannot be combined with what archives', { hint, exitCode: 2 })
}
