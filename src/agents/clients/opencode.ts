import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { opencodeLines } from './opencode-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const opencode: Agent = {
  name: 'opencode',
  label: 'OpenCode',
  canResume: true,
  speaksEvents: true,
  reports: ['usd', 'turns'],
  accountVariables: /(?:_API_KEY|_BASE_URL)$|^OPENCODE_CONFIG|^XDG_DATA_HOME$/,
  invoke,
  reader: opencodeLines,
  limitReset,
}

/**
 * There is no flag for turns or cost. Its log reports what its events do not: that it is retrying. Without `--auto` it
 * rejects every path outside of the worktree, and the run ends there; what a person's settings deny stays denied.
 */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['opencode', 'run', '--format', 'json', '--print-logs', '--log-level', 'ERROR']
  argv.push(...(call.access === 'read-only' ? ['--agent', READER] : ['--auto']))
  if (call.model !== undefined) argv.push('-m', call.model)
  if (call.resume !== undefined) argv.push('--session', call.resume)
  if (inArgument) argv.push(call.prompt)
  // It works in $PWD if that is set, and not in the folder it was started in.
  const env = { PWD: call.cwd, ...(call.access === 'read-only' && { OPENCODE_CONFIG_CONTENT: readerSettings() }) }
  return { argv, env, ...(!inArgument && { stdin: call.prompt }) }
}

const READER = 'gza-reader'

/**
 * gza's own agent, because the client's `plan` still writes through its shell. The last matching rule decides: the
 * shell accepts two git commands, but none that writes a file, and a sub-agent would have other rights.
 */
function readerSettings(): string {
  const bash = { '*': 'deny', 'git diff*': 'allow', 'git log*': 'allow', '*>*': 'deny', '*--output*': 'deny' }
  const reading = { read: 'allow', grep: 'allow', glob: 'allow', list: 'allow' }
  const permission = { '*': 'deny', ...reading, edit: 'deny', task: 'deny', bash }
  return JSON.stringify({ agent: { [READER]: { mode: 'primary', description: 'Reads and judges', permission } } })
}
