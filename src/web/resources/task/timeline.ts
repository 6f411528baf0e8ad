import { readTimeline } from '../../../runs/watch/read-timeline.ts'
import { defineResource } from '../resource.ts'

/** The runs of a task with their phases, the newest first. */
export default defineResource({
  path: 'tasks/:ref/timeline',
  hasTexts: true,
  read: (ws, { ref }) => readTimeline(ws, ref),
})
