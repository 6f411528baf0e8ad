import { type PreviewedPhase, previewPrompt } from '../../../runs/preview-prompt.ts'
import { defineResource } from '../resource.ts'

const PHASES: readonly PreviewedPhase[] = ['work', 'review', 'improve', 'run']

/** Exactly what an agent would get next. */
export default defineResource({
  path: 'tasks/:ref/prompt',
  hasTexts: true,
  read: (ws, { ref, query }) => previewPrompt(ws, ref, PHASES.find((each) => each === query.get('phase')) ?? 'work'),
})
