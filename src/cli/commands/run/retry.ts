import { reopenForRetry } from '../../../runs/review/reopen-for-retry.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { type RalphFlags, ralphOptions } from '../../flags/ralph-options.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags, RalphFlags {
  fresh: boolean
  agent?: string
  model?: string
}

export default async function retry(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const { fresh, agent, model } = flags
  const asked = { refs: [ref], resume: !fresh, agent, model, ...ralphOptions(flags) }
  await inWorkspace(this, flags, (ws) => reopenForRetry(ws, ref))
  await workOn(this, flags, asked)
}
