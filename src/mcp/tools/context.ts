import { z } from 'zod'
import { readContext } from '../../workspace/views/context/read-context.ts'
import { defineTool, ref } from './tool.ts'

export default defineTool({
  name: 'context',
  description: 'Where the work stands: the tasks around yours, or around ref, as a checklist. Call it first.',
  input: { ref: ref.optional(), max_tokens: z.int().min(50).max(8000).optional() },
  example: {},
  call: (ws, { ref: task, max_tokens: maxTokens }, say) => {
    const { markdown, omitted } = readContext(ws, { ref: task, maxTokens, say })
    return { markdown, ...(omitted > 0 && { omitted }) }
  },
})
