import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { checkedShell } from '../../flags/shells.ts'
import { completionScript } from '../../render/set-up/completion-script.ts'
import { printResult } from '../../terminal/print.ts'

export default function completion(this: CallContext, flags: GlobalFlags, shell: string): void {
  const script = completionScript(checkedShell(shell))
  printResult(this, flags, { script }, [script])
}
