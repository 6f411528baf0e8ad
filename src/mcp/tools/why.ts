import { whyTask } from '../../scheduler/choose/why-not-running.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'why',
  description: 'Why a task is not running.',
  input: { ref },
  example: { ref: '3' },
  call: async (ws, input, say) => {
    const { detail, ...rest } = await whyTask(ws, input.ref)
    return { ...rest, detail: say(detail) }
  },
})
