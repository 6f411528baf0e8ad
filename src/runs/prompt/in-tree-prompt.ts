import { dataBlock, exchangeText, fillPrompt } from '../../core/documents/prompt-text.ts'
import type { Task } from '../../core/task/task.ts'
import template from './run.md' with { type: 'text' }

/** The prompt of `git tasks run`, in which the agent itself commits and marks its task done. */
export function inTreePrompt(task: Task): string {
  const prompt = fillPrompt(template, { task_id: task.id, task_content: task.content }).trimEnd()
  const exchange = exchangeText(task)
  if (exchange === '') return prompt
  return `${prompt}\n\n${dataBlock('questions of earlier attempts, and the answers of people', exchange)}`
}
