import { factForAgent } from '../../../core/documents/agent-advice.ts'
import { sentenceText } from '../../../core/sentence.ts'
import { whyTask } from '../../../scheduler/choose/why-not-running.ts'
import { agentReader } from '../../agent-reader.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderWhy } from '../../render/watch/inbox.ts'
import { programOf } from '../../terminal/display.ts'
import { printResult } from '../../terminal/print.ts'

export default async function why(this: CallContext, flags: GlobalFlags, ref: string): Promise<void> {
  const { detail, ...rest } = await inWorkspace(this, flags, (ws) => whyTask(ws, ref))
  const agent = agentReader(this.env)
  const said = agent === undefined ? detail : factForAgent(detail, agent)
  const reason = { ...rest, detail: sentenceText(said, flags.json ? 'gza' : programOf(this.display.name)) }
  printResult(this, flags, reason, renderWhy(reason, this.display))
}
