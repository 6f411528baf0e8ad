import { releaseTask } from '../../runs/claims/claim-task.ts'
import { taskRow } from '../task-rows.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'release',
  description: 'Give a claimed task back.',
  input: { ref },
  example: { ref: '3' },
  call: (ws, input) => ({ released: taskRow(releaseTask(ws, input.ref)) }),
})
