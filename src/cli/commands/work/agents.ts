import { command, commandLine, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { addAgent, removeAgent } from '../../../runs/claims/register-agent.ts'
import { listPausable, type Resumed, resumePaused } from '../../../runs/spend/paused-agents.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderAgents } from '../../render/work/agents.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  client?: string
}

export default async function agents(this: CallContext, flags: Flags, action?: string, name?: string): Promise<void> {
  if (action === undefined) return list(this, flags)
  if (action !== 'add' && action !== 'remove' && action !== 'resume') throw usage(`agents has no action '${action}'`)
  if (name === undefined) throw usage(`agents ${action} needs the name of an agent`)
  if (flags.client !== undefined && action !== 'add') throw usage('--client can only be used with agents add')
  if (action === 'resume') {
    const resumed = await inWorkspace(this, flags, (ws) => resumePaused(ws, name))
    printResult(this, flags, resumed, [resumedLine(resumed)])
    return
  }
  if (action === 'add') {
    const added = await inWorkspace(this, flags, (ws) => addAgent(ws, name, flags.client ?? null))
    printResult(this, flags, added, [`${added.agent}: registered${added.client === null ? '' : ` (${added.client})`}`])
    return
  }
  const removed = await inWorkspace(this, flags, (ws) => removeAgent(ws, name))
  printResult(this, flags, { agent: removed }, [`${removed}: removed`])
}

async function list(context: CallContext, flags: Flags): Promise<void> {
  if (flags.client !== undefined) throw usage('--client can only be used with agents add')
  const found = await inWorkspace(context, flags, listPausable)
  printResult(context, flags, found, renderAgents(found, context.display, context.clock()))
  if (found.length === 0 && !flags.json)
    context.err.write(`No agent has a task. Register one: ${commandLine`agents add NAME`}\n`)
}

function resumedLine({ agent, lifted }: Resumed): string {
  const until = lifted.map(({ paused_until }) => paused_until).toSorted()
  if (until.length === 0) return `${agent} is not paused`
  return `${agent}: resumed (it was paused until ${until.at(-1)})`
}

function usage(message: string): UserError {
  return new UserError('USAGE', message, {
    hint: sentence`${command`agents`}, ${command`agents add NAME`}, ${command`agents remove NAME`}, ${command`agents resume NAME`}`,
    exitCode: 2,
  })
}
