import { runHook } from '../../app/run-hook.ts'
import { printable } from '../../core/printable.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { readInput } from '../input.ts'
import { printLines } from '../print.ts'

export default function hook(this: Face, _flags: GlobalFlags, name: string, phase?: string): void {
  // Only then can a hook still refuse.
  if (phase !== 'prepared') return
  const refusals = runHook(name, readInput(this, '-'), { cwd: this.cwd, env: this.env })
  printLines(
    this.err,
    refusals.map((why) => `gza: refused to agents: ${printable(why)}`),
  )
  this.exitCode = refusals.length === 0 ? 0 : 1
}
