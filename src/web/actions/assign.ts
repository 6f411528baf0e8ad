import { z } from 'zod'
import { assignTask } from '../../runs/claims/assign-task.ts'
import { defineAction, ref } from './action.ts'

export default defineAction({
  name: 'assign',
  input: { ref, agent: z.string().min(1).max(100).nullable() },
  act: (ws, input) => assignTask(ws, input.ref, input.agent),
})
