import { command } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { type SetupPlan, setupClient } from '../../../exchange/setup-client.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSetupDiff, renderSetupDone } from '../../render/set-up/set-up.ts'
import { asksYes } from '../../terminal/input.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  mcp: boolean
  project: boolean
  remove: boolean
  yes: boolean
}

export default async function setup(this: CallContext, flags: Flags, client: string): Promise<void> {
  const { remove } = flags
  if (flags.project && !flags.mcp)
    throw new UserError(
      'USAGE',
      '--project can only be used with --mcp: without it, the change is in this project anyway',
      {
        hint: command`setup ${client} --mcp --project`,
        exitCode: 2,
      },
    )
  const mcp = flags.project ? ('project' as const) : ('user' as const)
  const options = { remove, ...(flags.mcp && { mcp }) }
  const perform = (apply: boolean) => inWorkspace(this, flags, (ws) => setupClient(ws, client, { ...options, apply }))
  const plan = await perform(false)
  if (!flags.json) printLines(this.out, renderSetupDiff(plan, this.display))
  const isAgreed = plan.action !== 'none' && (flags.yes || (!flags.json && (await agrees(this, plan, flags))))
  const done = isAgreed ? await perform(true) : plan
  printResult(this, flags, done, renderSetupDone(done, { remove }))
  if (flags.json && plan.action !== 'none' && !isAgreed) this.exitCode = 1
}

async function agrees(context: CallContext, { client }: SetupPlan, { mcp, project }: Flags): Promise<boolean> {
  if (await context.isTerminal(0)) return asksYes(context, 'Make this change?')
  throw new UserError('NOT_AGREED', 'Nothing was changed: there is no terminal to ask for confirmation', {
    hint: command`setup ${client} ${[...(mcp ? ['--mcp'] : []), ...(project ? ['--project'] : [])]} --yes`,
  })
}
