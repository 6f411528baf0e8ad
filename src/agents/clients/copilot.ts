import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { copilotLines } from './copilot-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const copilot: Agent = {
  name: 'copilot',
  label: 'GitHub Copilot CLI',
  canResume: true,
  speaksEvents: true,
  invoke,
  reader: copilotLines,
  limitReset,
}

/** There is no flag for turns or cost. */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['copilot', ...(inArgument ? ['-p', call.prompt] : []), '--output-format', 'json', '--allow-all-tools']
  // Only these tools remain available.
  if (call.access === 'read-only') argv.push('--available-tools=view,grep,glob')
  if (call.model !== undefined) argv.push('--model', call.model)
  if (call.resume !== undefined) argv.push(`--resume=${call.resume}`)
  return { argv, env: {}, ...(!inArgument && { stdin: call.prompt }) }
}
