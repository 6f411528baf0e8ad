import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { codexLines } from './codex-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const codex: Agent = {
  name: 'codex',
  label: 'Codex',
  canResume: true,
  speaksEvents: true,
  reports: [],
  accountVariables: /^(?:CODEX_(?:HOME|API_KEY)|OPENAI_(?:API_KEY|BASE_URL|ORGANIZATION|PROJECT))$/,
  invoke,
  reader: (before = { input: 0, output: 0, usd: 0 }) => codexLines(before),
  limitReset,
}

/** There is no flag for turns or cost. */
function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['codex', 'exec']
  const hasSandbox = call.access === 'read-only' && !call.isHeld
  // Before `resume`, which does not accept it. The system enforces it, also for commands.
  if (hasSandbox) argv.push('-s', 'read-only')
  if (call.resume !== undefined) argv.push('resume', call.resume)
  argv.push('--json')
  // Repeated on resume: without flags, a session keeps its first access.
  if (!hasSandbox) argv.push('--dangerously-bypass-approvals-and-sandbox')
  if (call.model !== undefined) argv.push('-m', call.model)
  argv.push(inArgument ? call.prompt : '-')
  return { argv, env: {}, ...(!inArgument && { stdin: call.prompt }) }
}
