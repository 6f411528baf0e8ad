import { sawAgent } from '../state/live/agents.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** An agent that calls gza is alive. */
export function noteHeartbeat({ live, actor, now }: Workspace): void {
  if (live !== null && actor.mode === 'agent') sawAgent(live, actor.name, now())
}
