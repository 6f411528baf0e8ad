import { readPrompt } from '../../../runs/watch/read-timeline.ts'
import { defineResource } from '../resource.ts'

/** Exactly what an agent was given in a phase. The timeline names it. */
export default defineResource({
  path: 'tasks/:ref/prompts/:name',
  hasTexts: true,
  read: (ws, { ref, name }) => readPrompt(ws, ref, name),
})
