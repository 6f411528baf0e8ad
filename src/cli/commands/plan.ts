import { importPlan } from '../../app/plan/import-plan.ts'
import { UserError } from '../../core/user-error.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { readInputIfThere } from '../input.ts'
import { printLines, printResult } from '../print.ts'
import { renderPlan, renderPlanWarnings } from '../render/plan.ts'

interface Flags extends GlobalFlags {
  'dry-run': boolean
  update: boolean
}

export default async function plan(this: Face, flags: Flags, action: string, name: string): Promise<void> {
  if (action !== 'import')
    throw new UserError('USAGE', `'${action}' is nothing that plan can do`, {
      hint: 'gza plan import FILE',
      exitCode: 2,
    })
  await breakDown.call(this, flags, name)
}

/** `gza breakdown FILE` is `gza plan import FILE`. */
export async function breakDown(this: Face, flags: Flags, name: string): Promise<void> {
  const file = readInputIfThere(this, name)
  const result = await inWorkspace(this, flags, (ws) =>
    importPlan(ws, { name, file, dryRun: flags['dry-run'], update: flags.update }),
  )
  printResult(this, flags, result, renderPlan(result, this.look))
  if (!flags.json) printLines(this.err, renderPlanWarnings(result))
}
