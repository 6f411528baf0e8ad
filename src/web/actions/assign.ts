import { z } from 'zod'
import { assignTask } from '../../runs/claims/assign-task.ts'
import { assertStillExpected } from '../../workspace/expected-version.ts'
import { defineAction, ref } from './action.ts'

export default defineAction({
  name: 'assign',
  input: { ref, agent: z.string().min(1).max(100).nullable() },
  act: (ws, input) => {
    // The holder loses the task before the ledger changes.
    assertStillExpected(ws)
    return assignTask(ws, input.ref, input.agent)
  },
})
