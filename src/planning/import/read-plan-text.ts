import { finishPlan } from '../../core/plan/finish-plan.ts'
import type { Plan, PlanRemark } from '../../core/plan/plan-model.ts'
import { readPlan } from '../../core/plan-markdown/markdown-plan.ts'
import { UserError } from '../../core/user-error.ts'

/** A plan in any of the formats, with its problems. Only a text that cannot be read at all throws. */
export async function readPlanText(file: string, text: string): Promise<Plan> {
  const plan = isStructured(file, text) ? await readStructured(file, text) : readPlan(text)
  if (plan.tasks.length > 0 || plan.problems.length > 0) return plan
  throw new UserError('NO_TASKS', `No task was found in ${file}`, {
    hint: isStructured(file, text)
      ? 'Write the tasks as a list, alone or as "tasks": [{"id": "T1", "title": "…"}].'
      : 'Tasks are headings such as "### T1: Title", checkboxes below "## Phase 1", or numbered steps below "## Steps".',
  })
}

/** All problems in one error, so that a person can correct a plan in one go. */
export function refuseProblems(file: string, problems: readonly PlanRemark[]): void {
  if (problems.length === 0) return
  const sorted = problems.toSorted((a, b) => a.line - b.line)
  const lines = sorted.slice(0, MOST_LISTED).map((problem) => `${placeOf(file, problem)}: ${problem.why}`)
  const rest = problems.length - lines.length
  const cycles = sorted.filter(({ isCycle }) => isCycle)
  throw new UserError(
    cycles.length === problems.length ? 'DEPENDENCY_CYCLE' : 'BAD_PLAN',
    [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'),
    {
      hint: 'Nothing was imported. Correct the plan and import it again.',
      cycles: cycles.map((cycle) => `${placeOf(file, cycle)}: ${cycle.why}`),
    },
  )
}

const MOST_LISTED = 20

export function placeOf(file: string, { line, column }: { line: number; column?: number }): string {
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`
}

async function readStructured(file: string, text: string): Promise<Plan> {
  const { parseStructured } = await import('./parse-structured.ts')
  const { readStructuredPlan } = await import('../../core/plan-fields/structured-plan.ts')
  const { root, positionOf } = parseStructured(file, text)
  return finishPlan(readStructuredPlan(root, positionOf))
}

/** By the name of the file; a text without one, such as standard input, by its beginning. */
function isStructured(file: string, text: string): boolean {
  if (/\.(?:json|ya?ml)$/i.test(file)) return true
  if (/\.(?:md|markdown|txt)$/i.test(file)) return false
  return JSON_BEGINS.test(text) || YAML.some((pattern) => pattern.test(text))
}

/** Also with comments, which JSON must not have; `[//]: #` is markdown. */
const JSON_BEGINS = /^\s*(?:[[{]\s*["{[\]}]|(?:\{|\[\s)\s*\/[/*]|\/[/*].*\n\s*[[{])/

/**
 * A list of tasks under its name, or the list alone. `tasks:` above a markdown list does not count: its items have no
 * names.
 */
const YAML = [
  /^(?:tasks|milestones|phases|epics|sprints|stages|iterations|steps|items|todos|stories):[ \t]*\r?\n(?:\s*#.*\n)*[ \t]*(?:-[ \t]+)?[\w-]+:(?:\s|$)/m,
  /^(?:---\s*\n|\s*#.*\n|\s*\n)*-[ \t]+(?:id|key|title|name|task):[ \t]/,
]
