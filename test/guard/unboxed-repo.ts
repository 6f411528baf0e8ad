import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'

/** Its agents run under the guard alone, as on a machine that can make no box. */
export function anUnboxedRepo(acts: Record<string, string>, options: AgentRepoOptions = {}): AgentRepo {
  return anAgentRepo(acts, { ...options, isolation: 'off' })
}
