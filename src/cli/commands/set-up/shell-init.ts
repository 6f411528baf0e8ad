import { shellInit } from '../../../engine/guard/install-shim.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { checkedShell, shellFromPath } from '../../flags/shells.ts'
import { printResult } from '../../terminal/print.ts'

export default async function initShell(this: CallContext, flags: GlobalFlags, shell?: string): Promise<void> {
  const script = await shellInit(this.env, shell === undefined ? shellFromPath(this.env.SHELL) : checkedShell(shell))
  printResult(this, flags, { script }, [script.trimEnd()])
}
