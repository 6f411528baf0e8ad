import { readMarkdownPlan } from '../plan-markdown/markdown-plan.ts'
import { finishPlan } from './finish-plan.ts'
import type { Plan } from './plan-model.ts'

/** Reads a markdown plan. Problems are part of the result: nothing is thrown, whatever the text is. */
export function readPlan(text: string): Plan {
  return finishPlan(readMarkdownPlan(text))
}
