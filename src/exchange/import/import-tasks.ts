import { whyNotForward } from '../../core/ledger/forward-steps.ts'
import { joinTasks } from '../../core/ledger/join-tasks.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import { command, sentence } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { renumber } from '../../core/task/task-ids.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { taskOf, tasksInOrder } from '../../state/index/read-tasks.ts'
import { IMPORT_WORDS, refuseCycles } from '../../tasks/checks/refuse-cycles.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ForeignDifference } from './compare-foreign.ts'
import { draftChecklist } from './import-checklist.ts'
import { guessFormat, type ImportInput, nameOfInput } from './import-input.ts'
import { draftLines } from './import-lines.ts'
import type { Tool } from './tools/importer.ts'

export interface Imported<T> {
  created: T[]
  updated: T[]
  /** What was left out: its line, if it has one, and why. */
  skipped: { line?: number; why: string }[]
  /** How many of them were already in the ledger, unchanged. */
  known_count: number
  /** The tool that the tasks came from. */
  tool?: Tool
  /** The open tasks that differ now in the tool. */
  differences?: ForeignDifference[]
}

/** Imports a whole file as one commit, or nothing of it. */
export function importTasks(ws: Workspace, input: ImportInput): Imported<Task> {
  const format = input.format ?? guessFormat(input)
  return changeLedger(ws, (view) => {
    const { tasks, skipped } = format === 'markdown' ? draftChecklist(view, input) : draftLines(view, input)
    const changed = mergeDraft(view, tasks)
    refuseCycles(view, changed, IMPORT_WORDS)
    const created = changed.filter((task) => entry(view, task.uid) === undefined)
    const updated = changed.filter((task) => entry(view, task.uid) !== undefined)
    const subject = `import ${plural(changed.length, 'task')} from ${nameOfInput(input)}`
    const uids = new Set(changed.map(({ uid }) => uid))
    const known = tasks.filter(({ uid }) => !uids.has(uid)).length
    return { tasks: input.dryRun ? [] : changed, subject, result: { created, updated, skipped, known_count: known } }
  })
}

/**
 * New tasks are appended, because they were checked when they were read or made here; copies of known tasks are joined.
 */
function mergeDraft(view: LedgerView, drafted: readonly Task[]): Task[] {
  const isNew = (task: Task) => task.number > view.row.last_number && entry(view, task.uid) === undefined
  if (drafted.every(isNew)) return [...drafted]
  const changed = joinDraft(view, drafted)
  for (const task of changed) refuseForAgents(view, task)
  return changed
}

function joinDraft(view: LedgerView, drafted: readonly Task[]): Task[] {
  const mine = [...tasksInOrder(view.ws.state, view.row.lid)]
  const before = new Map(mine.map((task) => [task.uid, taskLine(task)]))
  return renumber(joinTasks(mine, drafted)).filter((task) => before.get(task.uid) !== taskLine(task))
}

function refuseForAgents(view: LedgerView, task: Task): void {
  const why = whyNotForward(taskOf(view.ws.state, view.row.lid, task.uid), task, view.ws.actor.mode)
  if (why === null) return
  throw new UserError('BAD_IMPORT', `Not imported: ${why}`, {
    hint: sentence`Nothing was changed. Lines with a uid must be as ${command`export`} wrote them.`,
  })
}
