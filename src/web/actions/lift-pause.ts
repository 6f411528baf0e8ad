import { z } from 'zod'
import { UserError } from '../../core/user-error.ts'
import { listPauses, resumeAgent } from '../../runs/spend/agent-pauses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { defineAction } from './action.ts'

/** An agent at its usage limit is called again. `until`: the ends of its pauses, as the person saw them. */
export default defineAction({
  name: 'lift-pause',
  input: { agent: z.string().min(1).max(200), until: z.array(z.string().max(40)).max(100) },
  act: (ws, { agent, until }) => {
    refuseOther(ws, agent, until)
    return resumeAgent(ws, agent)
  },
})

function refuseOther(ws: Workspace, agent: string, seen: readonly string[]): void {
  const now = listPauses(ws)
    .filter((pause) => pause.agent === agent)
    .map(({ until }) => until)
  if (seen.every((until) => now.includes(until))) return
  const state = now.length === 0 ? 'is not paused any more' : `is now paused until ${now.join(' and ')}`
  throw new UserError('CHANGED_SINCE', `${agent} ${state}`, { hint: 'Nothing was done. Look again, then decide.' })
}
