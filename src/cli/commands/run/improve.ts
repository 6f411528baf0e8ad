import { fileImprove } from '../../../scheduler/file-review.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags {
  review: boolean
  agent?: string
  model?: string
}

export default async function improve(this: CallContext, flags: Flags, ref: string, guide?: string): Promise<void> {
  const id = await inWorkspace(this, flags, (ws) =>
    fileImprove(ws, ref, { review: flags.review, guide: guide?.trim() ?? '' }),
  )
  await workOn(this, flags, { refs: [id], agent: flags.agent, model: flags.model })
}
