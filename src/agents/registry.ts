import { UserError } from '../core/user-error.ts'
import type { Agent } from './agent.ts'
import { claude } from './clients/claude.ts'
import { codex } from './clients/codex.ts'
import { copilot } from './clients/copilot.ts'
import { type CustomCommand, customAgent } from './clients/custom.ts'
import { gemini } from './clients/gemini.ts'
import { opencode } from './clients/opencode.ts'
import { qwen } from './clients/qwen.ts'

/** The clients that gza knows, the default first. */
export const AGENTS: readonly Agent[] = [claude, codex, opencode, gemini, qwen, copilot]

/** The agent with that name. The user's commands come first, so that one may replace a client. */
export function agentNamed(name: string, custom: Readonly<Record<string, CustomCommand>> = {}): Agent {
  const command = Object.hasOwn(custom, name) ? custom[name] : undefined
  if (command) return customAgent(command, name)
  const known = AGENTS.find((agent) => agent.name === name)
  if (known) return known
  const names = [...AGENTS.map((agent) => agent.name), ...Object.keys(custom)].join(', ')
  throw new UserError('UNKNOWN_AGENT', `There is no agent “${name}”`, {
    hint: `Known agents: ${names}. To add a command: agents: { ${name}: { command: … } } in gza.yaml.`,
    exitCode: 2,
  })
}
