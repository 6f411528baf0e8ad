import { fillPrompt } from '../../core/documents/prompt-text.ts'
import type { Task } from '../../core/task/task.ts'
import template from './run.md' with { type: 'text' }

/** The prompt of `git tasks run`, in which the agent itself commits and marks its task done. */
export function inTreePrompt({ id, content }: Task): string {
  return fillPrompt(template, { task_id: id, task_content: content }).trimEnd()
}
