import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { lastingOutputs } from '../../terminal/output.ts'
import { VERSION } from '../../version.ts'

export default async function mcp(this: CallContext, flags: GlobalFlags): Promise<void> {
  if (flags.json)
    throw new UserError('USAGE', 'mcp speaks its own protocol, so --json has no meaning', {
      exitCode: 2,
      hint: 'Leave --json out.',
    })
  const { err } = lastingOutputs(this)
  const complain = (sentence: string): void => {
    err.write(`${printable(sentence)}\n`)
    err.flush()
  }
  const signals = listenForStop(this, () => {})
  const { cwd, env } = this
  const { serve } = await this.mcp()
  await serve({ cwd, env, branch: flags.branch, version: VERSION, stop: signals.stop, complain })
  signals.release()
}
