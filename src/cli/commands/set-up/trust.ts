import { trustConfig } from '../../../workspace/config/trust-config.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderTrust } from '../../render/set-up/set-up.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  show: boolean
  revoke: boolean
}

export default async function trust(this: CallContext, flags: Flags): Promise<void> {
  const { show, revoke } = flags
  const files = await inWorkspace(this, flags, (ws) => trustConfig(ws, { show, revoke }), { spansLedgers: true })
  printResult(this, flags, files, renderTrust(files, this.display))
}
