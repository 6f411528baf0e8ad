import { printable } from '../../../core/text/printable.ts'
import { runHook } from '../../../engine/guard/refs/judge-transaction.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { readInput } from '../../terminal/input.ts'
import { printLines } from '../../terminal/print.ts'

export default function hook(this: CallContext, _flags: GlobalFlags, name: string, phase?: string): void {
  // In later phases a hook can no longer refuse.
  if (phase !== 'prepared') return
  const refusals = runHook(name, readInput(this, '-'), { cwd: this.cwd, env: this.env })
  printLines(
    this.err,
    refusals.map((why) => `gza: not allowed for agents: ${printable(why)}`),
  )
  this.exitCode = refusals.length === 0 ? 0 : 1
}
