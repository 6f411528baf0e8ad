import { listMilestones } from '../../../workspace/views/list-milestones.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderMilestones } from '../../render/look/milestones.ts'
import { printResult } from '../../terminal/print.ts'

export default async function milestones(this: CallContext, flags: GlobalFlags): Promise<void> {
  const listed = await inWorkspace(this, flags, listMilestones)
  printResult(this, flags, listed, renderMilestones(listed, this.display))
  if (listed.length === 0 && !flags.json)
    this.err.write('No task belongs to a milestone. Give it one: --milestone M1\n')
}
