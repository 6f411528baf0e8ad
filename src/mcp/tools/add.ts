import { z } from 'zod'
import { PRIORITIES, TASK_TYPES } from '../../core/task/task.ts'
import { addTasks } from '../../tasks/add-task.ts'
import { taskRow } from '../task-rows.ts'
import { defineTool } from './tool.ts'

const MOST_TASKS = 50

const texts = z.array(z.string()).optional()

const newTask = z.strictObject({
  content: z.string().describe('The first line is the title'),
  name: z.string().optional().describe('For after, based_on and parent of other tasks in this call'),
  after: texts.describe('Tasks or names that come first'),
  based_on: texts.describe('The same, and their results are passed on'),
  parent: z.string().optional(),
  type: z.enum(TASK_TYPES).optional(),
  priority: z.enum(PRIORITIES).optional(),
  group: z.string().optional(),
  accept: texts.describe('Acceptance criteria'),
  files: texts.describe('Files it changes'),
})

export default defineTool({
  name: 'add',
  description: 'File new tasks, all or none.',
  input: { tasks: z.array(newTask).min(1).max(MOST_TASKS) },
  example: {
    tasks: [
      { name: 'parser', content: 'Write the parser' },
      { content: 'Test it', after: ['parser'] },
    ],
  },
  call: (ws, { tasks }) => {
    const inputs = tasks.map(({ accept, files, ...fields }) => {
      return { ...fields, acceptance_criteria: accept, files_to_modify: files }
    })
    return { added: addTasks(ws, inputs).map(taskRow) }
  },
})
