import { claimTask } from '../../runs/claims/claim-task.ts'
import { claimedTask } from '../../runs/claims/connection-claims.ts'
import { showTask } from '../../workspace/views/show-task.ts'
import { shownFields } from './show.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'claim',
  description:
    'Take a task so that nobody else does: ref, or else the most urgent one that is ready. Returns the task.',
  input: { ref: ref.optional() },
  example: {},
  runsOnce: true,
  call: async (ws, { ref: task }) => {
    const own = claimedTask(ws, task)
    if (own !== null) return { already_yours: true, task: shownFields(await showTask(ws, own.id)) }
    const claimed = await claimTask(ws, task ?? null)
    if (claimed === null) return { task: null, message: 'Nothing is ready', hint: 'list {}' }
    return { task: shownFields(await showTask(ws, claimed.task.id)) }
  },
})
