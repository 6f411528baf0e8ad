import { z } from 'zod'
import { resumeAgent } from '../../runs/spend/agent-pauses.ts'
import { defineAction } from './action.ts'

/** An agent at its usage limit is called again. */
export default defineAction({
  name: 'lift-pause',
  input: { agent: z.string().min(1).max(200) },
  act: (ws, { agent }) => resumeAgent(ws, agent),
})
