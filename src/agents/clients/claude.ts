import type { Agent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { claudeLines } from './claude-lines.ts'
import { fitsArgument } from './place-prompt.ts'

export const claude: Agent = {
  name: 'claude',
  label: 'Claude Code',
  canResume: true,
  speaksEvents: true,
  reports: ['usd', 'turns'],
  accountVariables:
    /^(?:ANTHROPIC_(?:API_KEY|AUTH_TOKEN|BASE_URL)|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:OAUTH_TOKEN|USE_\w+))$/,
  invoke,
  reader: (before = NOTHING) => claudeLines({ usageOf: 'phase', inputHasCached: false, before }),
  limitReset,
}

const NOTHING = { input: 0, output: 0, usd: 0 }

function invoke(call: PhaseCall): Invocation {
  const inArgument = fitsArgument(call.prompt)
  const argv = ['claude', '-p', ...(inArgument ? [call.prompt] : []), '--output-format', 'stream-json', '--verbose']
  if (call.access === 'work') argv.push('--dangerously-skip-permissions')
  if (call.model !== undefined) argv.push('--model', call.model)
  if (call.maxTurns !== undefined) argv.push('--max-turns', String(call.maxTurns))
  if (call.maxCostUsd !== undefined) argv.push('--max-budget-usd', String(call.maxCostUsd))
  if (call.resume !== undefined) argv.push('--resume', call.resume)
  // A reviewer starts no servers. `--setting-sources user` is not used: CLAUDE.md would not be read then, and the
  // configuration that executes is not in a reviewer's checkout.
  if (call.access === 'read-only') argv.push('--strict-mcp-config')
  // `--permission-mode plan` is not enough: with permissions skipped it writes. Last, because it takes all arguments
  // that follow.
  if (call.access === 'read-only') argv.push('--tools', 'Read,Grep,Glob')
  // Root may skip permissions only in what the client considers a sandbox.
  const env: Record<string, string> = call.access === 'work' && call.isRoot ? { IS_SANDBOX: '1' } : {}
  return { argv, env, ...(!inArgument && { stdin: call.prompt }) }
}
