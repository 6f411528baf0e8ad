import { checkedShell } from '../../flags/shells.ts'
import { completionScript } from '../../render/set-up/completion-script.ts'
import type { Face, GlobalFlags } from '../../terminal/face.ts'
import { printResult } from '../../terminal/print.ts'

export default function completion(this: Face, flags: GlobalFlags, shell: string): void {
  const script = completionScript(checkedShell(shell))
  printResult(this, flags, { script }, [script])
}
