import { z } from 'zod'
import { pageOfTasks } from '../../workspace/views/list-tasks.ts'
import { pageOf, taskRow } from '../task-rows.ts'
import { defineTool, paging } from './tool.ts'

export default defineTool({
  name: 'list',
  description: 'Tasks by number, open ones unless status is given.',
  input: {
    status: z
      .string()
      .optional()
      .describe('open, pending, blocked, in_progress, completed, failed, skipped; comma-separated'),
    type: z.string().optional().describe('task, explore, plan, implement, review or improve'),
    group: z.string().optional(),
    text: z.string().optional().describe('Words to find, or a filter: parser -legacy priority:high'),
    ...paging,
  },
  example: { status: 'open' },
  call: (ws, { status, type, group, text, ...page }) => {
    const { from, limit } = pageOf(page)
    const { tasks, total, isMore } = pageOfTasks(ws, { filter: { status, type, group, text } }, { after: from, limit })
    return { tasks: tasks.map(taskRow), total, ...(isMore && { cursor: String(tasks.at(-1)?.number) }) }
  },
})
