import { z } from 'zod'
import { askQuestion } from '../../tasks/ask-question.ts'
import { noteTask } from '../../tasks/note-task.ts'
import { taskRow } from '../task-rows.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'note',
  description: 'Append a note to a task, for the next one who works on it.',
  input: {
    ref,
    text: z.string(),
    ask: z.boolean().optional().describe('A question to a person about your task: it waits, and is no longer yours'),
  },
  example: { ref: '3', text: 'The tests need a database', ask: false },
  call: (ws, { ref: task, text, ask }) =>
    ask === true ? { asked: taskRow(askQuestion(ws, task, text)) } : { noted: taskRow(noteTask(ws, task, text)) },
})
