import { type Complexity, filesOf, type Sized, scoreTask } from '../core/complexity.ts'
import type { TaskSizeLimits } from '../core/config/settings.ts'
import { sizeWarnings } from '../core/size-warnings.ts'
import { titleOf } from '../core/task.ts'
import { loadConfiguration } from './configuration.ts'
import { readLedger } from './fresh-ledger.ts'
import { entry, findTask } from './ledger-view.ts'
import { placeOf, readPlanText, refuseProblems } from './plan/read-plan-text.ts'
import { readImports } from './read-imports.ts'
import type { Workspace } from './workspace.ts'

export interface Scored {
  /** What the task goes by: its key, or its number. */
  name: string
  title: string
  score: Complexity
  /** Soft limits that it goes beyond. */
  warnings: string[]
}

/** How much one task of the ledger asks of an agent. */
export async function scoreFiled(ws: Workspace, ref: string): Promise<Scored> {
  const { task_size_limits } = await loadConfiguration(ws)
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const number = entry(view, task.uid)?.number ?? task.number
  return describe(ws, task_size_limits, { name: task.key ?? `#${number}`, task })
}

/** The same for the tasks of a plan that is not filed yet. What is wrong with the plan keeps no task from its score. */
export async function scoreText(ws: Workspace, file: { text: string; name: string }): Promise<Scored[]> {
  const { task_size_limits } = await loadConfiguration(ws)
  const { tasks, problems } = await readPlanText(file.name, file.text)
  if (tasks.length === 0) refuseProblems(file.name, problems)
  for (const problem of problems) ws.warnings.push(`${placeOf(file.name, problem)}: ${problem.why}`)
  return tasks.map((task) => describe(ws, task_size_limits, { name: task.key, task }))
}

export function scoreIn(ws: Workspace, limits: TaskSizeLimits, task: Sized): Complexity {
  return scoreTask(task, { limits, imports: readImports(ws.repo, filesOf(task)) })
}

function describe(ws: Workspace, limits: TaskSizeLimits, { name, task }: { name: string; task: Sized }): Scored {
  const title = titleOf({ content: '', ...task })
  return { name, title, score: scoreIn(ws, limits, task), warnings: sizeWarnings(task, limits) }
}
