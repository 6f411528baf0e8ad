import { shellInit } from '../../../engine/guard/shell-init-line.ts'
import { checkedShell, shellFromPath } from '../../flags/shells.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default async function initShell(this: Face, flags: GlobalFlags, shell?: string): Promise<void> {
  const script = await shellInit(this.env, shell === undefined ? shellFromPath(this.env.SHELL) : checkedShell(shell))
  printResult(this, flags, { script }, [script.trimEnd()])
}
