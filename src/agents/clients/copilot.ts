import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { copilotLines, readCopilotSession } from './copilot-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const copilot: Agent = {
  name: 'copilot',
  label: 'GitHub Copilot CLI',
  canResume: true,
  speaksEvents: true,
  reports: ['turns'],
  accountVariables: /^(?:COPILOT_(?:HOME|GITHUB_TOKEN|PROVIDER_\w+)|GH_TOKEN|GITHUB_TOKEN|GH_HOST)$/,
  invoke,
  reader: copilotLines,
  readSessionFile: readCopilotSession,
  limitReset,
}

/**
 * There is no flag for turns or cost. Without `--allow-all-paths` every command that names a path outside of the worktree
 * is refused, even `/usr/bin/env`. It prints its session only at its end, so it gets an id: then a killed run can be
 * resumed, and its tokens can be read.
 */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['copilot', ...(inArgument ? ['-p', call.prompt] : []), '--output-format', 'json', '--allow-all-tools']
  if (call.access === 'work') argv.push('--allow-all-paths')
  // Only these tools remain available.
  else argv.push('--available-tools=view,grep,glob')
  if (call.model !== undefined) argv.push('--model', call.model)
  argv.push(call.resume === undefined ? `--session-id=${call.newSession}` : `--resume=${call.resume}`)
  return { argv, env: {}, session: call.resume ?? call.newSession, ...(!inArgument && { stdin: call.prompt }) }
}
