import { fileReview } from '../../../scheduler/file-review.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags {
  agent?: string
  model?: string
}

export default async function review(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const id = await inWorkspace(this, flags, (ws) => fileReview(ws, ref))
  await workOn(this, flags, { refs: [id], agent: flags.agent, model: flags.model })
}
