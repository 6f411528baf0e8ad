import type { Config } from '../core/config/settings.ts'
import type { Agent, Invocation } from './agent.ts'
import { agentNamed } from './registry.ts'

/** A client that gza knows, or a configured command with its environment. */
export function configuredAgent(config: Config, name: string): Agent {
  const commands = [...config.agents].map(
    ([own, { command, stdin }]) => [own, { command, prompt: stdin ? 'stdin' : 'argument' }] as const,
  )
  const agent = agentNamed(name, Object.fromEntries(commands))
  const env = config.agents.get(name)?.env ?? {}
  return { ...agent, ownEnv: env, invoke: (call) => withEnv(agent.invoke(call), env) }
}

function withEnv(invocation: Invocation, env: Record<string, string>): Invocation {
  return { ...invocation, env: { ...env, ...invocation.env } }
}
