import { z } from 'zod'
import { editTask } from '../../tasks/edit-task.ts'
import { defineAction, fields, ref } from './action.ts'

export default defineAction({
  name: 'edit',
  input: {
    ref,
    content: z.string().max(200_000).optional(),
    ...fields,
    verdict: z.string().max(40).optional(),
    reopen: z.boolean().optional(),
  },
  act: (ws, { ref: task, ...input }) => editTask(ws, task, input),
})
