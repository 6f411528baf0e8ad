import { z } from 'zod'
import { addTask } from '../../tasks/add-task.ts'
import { defineAction, fields } from './action.ts'

/** Whether the text is enough, the use case says. */
export default defineAction({
  name: 'add',
  input: { content: z.string().max(200_000), ...fields },
  act: (ws, input) => addTask(ws, input),
})
