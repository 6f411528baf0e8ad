import { reopenForRetry } from '../../app/engine/manage-runs.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { workOn } from '../work-on.ts'

interface Flags extends GlobalFlags {
  fresh: boolean
  agent?: string
  model?: string
}

export default async function retry(this: Face, flags: Flags, ref: string): Promise<void> {
  await inWorkspace(this, flags, (ws) => reopenForRetry(ws, ref))
  await workOn(this, flags, { refs: [ref], resume: !flags.fresh, agent: flags.agent, model: flags.model })
}
