import { nextTasks } from '../../workspace/views/ready-tasks.ts'
import { pageOf, taskRow } from '../task-rows.ts'
import { defineTool, paging } from './tool.ts'

export default defineTool({
  name: 'next',
  description: 'Tasks that can start now, most urgent first.',
  input: paging,
  example: {},
  call: (ws, page) => {
    const { from, limit } = pageOf(page)
    const { ready, blockedCount, heldCount } = nextTasks(ws)
    const all = [...ready]
    const end = from + limit
    return {
      tasks: all.slice(from, end).map(taskRow),
      total: all.length,
      ...(end < all.length && { cursor: String(end) }),
      ...(blockedCount > 0 && { blocked: blockedCount }),
      ...(heldCount > 0 && { waiting_for_a_person: heldCount }),
    }
  },
})
