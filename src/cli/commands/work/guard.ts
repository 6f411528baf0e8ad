import { runGuarded } from '../../../scheduler/in-tree/guard-command.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'

export default async function guard(this: CallContext, _flags: GlobalFlags, ...command: string[]): Promise<void> {
  const { exitCode, warnings } = await runGuarded(command, { cwd: this.cwd, env: this.env, clock: this.clock })
  this.warnings.push(...warnings)
  this.exitCode = exitCode
}
