import { commandLineReader, type Reader } from '../core/documents/agent-advice.ts'
import { detectActor } from '../core/task/agent-mode.ts'
import type { Env } from './call-context.ts'

/** The agent that reads what this call prints; undefined if its environment says that a person does. */
export function agentReader(env: Env): Reader | undefined {
  return detectActor(env, () => '').mode === 'agent' ? commandLineReader(Boolean(env.GZA_GUARD)) : undefined
}
