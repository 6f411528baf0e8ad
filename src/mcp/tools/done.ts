import { z } from 'zod'
import { closeTask } from '../../tasks/close-task.ts'
import { taskRow } from '../task-rows.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'done',
  description: 'Close a finished task. It is linked to the commits made since it was claimed, or to the next one.',
  input: { ref, note: z.string().optional().describe('What the next agent must know') },
  example: { ref: '3', note: 'The parser is in src/parse.ts' },
  call: (ws, { ref: task, note }) => {
    const [first, ...parents] = closeTask(ws, [task], note === undefined ? {} : { note })
    const closed = first === undefined ? {} : { ...taskRow(first), commits: first.commits }
    return { done: closed, ...(parents.length > 0 && { parents: parents.map(taskRow) }) }
  },
})
