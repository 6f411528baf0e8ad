import { fileReview } from '../../../scheduler/follow-up.ts'
import { inWorkspace } from '../../in-workspace.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags {
  agent?: string
  model?: string
}

export default async function review(this: Face, flags: Flags, ref: string): Promise<void> {
  const id = await inWorkspace(this, flags, (ws) => fileReview(ws, ref))
  await workOn(this, flags, { refs: [id], agent: flags.agent, model: flags.model })
}
