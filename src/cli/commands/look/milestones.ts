import { listMilestones } from '../../../workspace/views/groups/list-milestones.ts'
import type { CallContext } from '../../call-context.ts'
import type { PagedFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderMilestones } from '../../render/look/milestones.ts'
import { limitRows, openRowCut, reportLeft } from '../../terminal/cut-rows.ts'
import { printResult } from '../../terminal/print.ts'

export default async function milestones(this: CallContext, flags: PagedFlags): Promise<void> {
  const listed = await inWorkspace(this, flags, listMilestones)
  const cut = openRowCut(this, flags.limit)
  const shown = [...(flags.json ? limitRows(listed, flags.limit) : cut.take(listed))]
  printResult(this, flags, shown, renderMilestones(shown, this.display))
  reportLeft(this, cut)
  if (listed.length === 0 && !flags.json)
    this.err.write('No task belongs to a milestone. Give it one: --milestone M1\n')
}
