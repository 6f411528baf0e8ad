import { noteTask } from '../../tasks/note-task.ts'
import { defineAction, ref, text } from './action.ts'

export default defineAction({
  name: 'note',
  input: { ref, text },
  act: (ws, input) => noteTask(ws, input.ref, input.text),
})
