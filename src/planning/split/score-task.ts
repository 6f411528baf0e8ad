import type { TaskSizeLimits } from '../../core/config/settings.ts'
import {
  type Complexity,
  filesOf,
  hasCriteria,
  type ScoreContext,
  type Sized,
  scoreTask,
} from '../../core/size/complexity.ts'
import { isPartOf } from '../../core/size/parts.ts'
import { sizeWarnings } from '../../core/size/size-warnings.ts'
import { type Task, titleOf, uidOf } from '../../core/task/task.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { placeOf, readPlanText, refuseProblems } from '../import/read-plan-text.ts'
import { readImports } from './read-imports.ts'

export interface Scored {
  /** Null: the task of a plan that is not filed. */
  number: number | null
  id: string | null
  key: string | null
  title: string
  score: Complexity
  /** Soft limits that it exceeds. */
  warnings: string[]
}

/** How hard one task of the ledger is for an agent. */
export async function scoreFiled(ws: Workspace, ref: string): Promise<Scored> {
  const { task_size_limits } = await loadConfiguration(ws)
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const number = entry(view, task.uid)?.number ?? task.number
  const names = { number, id: entry(view, task.uid)?.id ?? task.id, key: task.key ?? null }
  return describe(names, task, scoreContext(view, task_size_limits, task))
}

/** The context for a filed task: the files of the checkout, and the whole if it is a part of one. */
export function scoreContext(
  { ws, row }: LedgerView,
  limits: TaskSizeLimits,
  task: Task,
  known: ReadonlyMap<string, Task> = new Map(),
): ScoreContext {
  const parent = task.parent === undefined ? null : uidOf(task.parent)
  const whole = parent === null ? null : (known.get(parent) ?? taskOf(ws.state, row.lid, parent))
  const isPartOfClear = whole !== null && isPartOf(task, whole) && hasCriteria(whole)
  return { limits, imports: readImports(ws.repo, filesOf(task)), isPartOfClear }
}

/** The same for the tasks of a plan that is not filed yet. Problems of the plan do not prevent the scores. */
export async function scoreText(ws: Workspace, file: { text: string; name: string }): Promise<Scored[]> {
  const { task_size_limits } = await loadConfiguration(ws)
  const { tasks, problems } = await readPlanText(file.name, file.text)
  if (tasks.length === 0) refuseProblems(file.name, problems)
  for (const problem of problems) ws.warnings.push(`${placeOf(file.name, problem)}: ${problem.why}`)
  return tasks.map((task) =>
    describe({ number: null, id: null, key: task.key }, task, {
      limits: task_size_limits,
      imports: readImports(ws.repo, filesOf(task)),
    }),
  )
}

function describe(names: Pick<Scored, 'number' | 'id' | 'key'>, task: Sized, context: ScoreContext): Scored {
  const title = titleOf({ content: '', ...task })
  return { ...names, title, score: scoreTask(task, context), warnings: sizeWarnings(task, context.limits) }
}
