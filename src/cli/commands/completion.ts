import type { Face, GlobalFlags } from '../face.ts'
import { printResult } from '../print.ts'
import { completionScript } from '../render/completion-script.ts'
import { checkedShell } from '../shells.ts'

export default function completion(this: Face, flags: GlobalFlags, shell: string): void {
  const script = completionScript(checkedShell(shell))
  printResult(this, flags, { script }, [script])
}
