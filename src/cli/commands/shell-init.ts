import { shellInit } from '../../app/shell-init.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { printResult } from '../print.ts'
import { checkedShell, shellFromPath } from '../shells.ts'

export default async function initShell(this: Face, flags: GlobalFlags, shell?: string): Promise<void> {
  const script = await shellInit(this.env, shell === undefined ? shellFromPath(this.env.SHELL) : checkedShell(shell))
  printResult(this, flags, { script }, [script.trimEnd()])
}
