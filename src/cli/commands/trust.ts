import { trustConfig } from '../../app/trust-config.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderTrust } from '../render/set-up.ts'

interface Flags extends GlobalFlags {
  show: boolean
  revoke: boolean
}

export default async function trust(this: Face, flags: Flags): Promise<void> {
  const { show, revoke } = flags
  const files = await inWorkspace(this, flags, (ws) => trustConfig(ws, { show, revoke }), { spansLedgers: true })
  printResult(this, flags, files, renderTrust(files, this.look))
}
