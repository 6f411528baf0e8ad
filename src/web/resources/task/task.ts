import { sentenceText } from '../../../core/sentence.ts'
import { readTaskPage } from '../../../reports/read-task-page.ts'
import { whyTask } from '../../../scheduler/choose/why-not-running.ts'
import { defineResource } from '../resource.ts'

/** A task with everything known about it. Actions name the version that was shown. */
export default defineResource({
  path: 'tasks/:ref',
  hasTexts: true,
  read: async (ws, { ref }) => {
    const { detail, ...why } = await whyTask(ws, ref)
    return { ...(await readTaskPage(ws, ref)), why: { ...why, detail: sentenceText(detail) } }
  },
})
