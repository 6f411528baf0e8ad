import { z } from 'zod'
import { killRun } from '../../runs/watch/list-and-kill.ts'
import { assertStillExpected } from '../../workspace/expected-version.ts'
import { defineAction, ref } from './action.ts'

/** Ends a run, the one that the person saw. What its agent has done is kept. */
export default defineAction({
  name: 'stop',
  input: { ref, run: z.string().max(100).optional() },
  act: (ws, input) => {
    assertStillExpected(ws)
    return killRun(ws, input.ref, input.run)
  },
})
