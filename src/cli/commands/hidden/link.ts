import { linkAllLedgers } from '../../../workspace/links/follow-commits.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'

export default async function link(this: CallContext, flags: GlobalFlags): Promise<void> {
  await inWorkspace(this, flags, linkAllLedgers, { spansLedgers: true })
}
