import { command } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { importPlan } from '../../../planning/import/import-plan.ts'
import type { CallContext, CreateFlag, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderPlan, renderPlanWarnings } from '../../render/plan/plan.ts'
import { readInput, readInputIfThere } from '../../terminal/input.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags, CreateFlag {
  'dry-run': boolean
  update: boolean
}

export default async function plan(this: CallContext, flags: Flags, action: string, name?: string): Promise<void> {
  if (action === 'import' && name !== undefined) return breakDown.call(this, flags, name)
  if (action === 'import')
    throw new UserError('USAGE', 'The plan to import is missing', { hint: command`plan import FILE`, exitCode: 2 })
  const isPlan = name === undefined && (action === '-' || /[./\\]|^\d+$/.test(action))
  throw new UserError('USAGE', `plan has no action '${printable(action)}'; did you mean import?`, {
    hint: command`plan import ${isPlan ? action : (name ?? 'FILE')}`,
    exitCode: 2,
  })
}

/** `gza breakdown FILE` is `gza plan import FILE`. */
export async function breakDown(this: CallContext, flags: Flags, name: string): Promise<void> {
  const file = name === '-' ? { path: null, text: readInput(this, name) } : readInputIfThere(this, name)
  const options = { name, file, dryRun: flags['dry-run'], update: flags.update }
  const result = await inWorkspace(this, flags, (ws) => importPlan(ws, options), {
    unknownName: flags.create ? 'use' : () => command`plan import ${name}`,
  })
  printResult(this, flags, result, renderPlan(result, this.display))
  if (!flags.json) printLines(this.err, renderPlanWarnings(result))
}
