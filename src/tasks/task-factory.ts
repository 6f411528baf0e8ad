import { type FilingLimit, type FilingRules, fileInRun, withFiledIn } from '../core/task/filed-in.ts'
import { type Authorship, createTask, type NewTask } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { readHead } from '../platform/git/refs.ts'
import { hasId, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type TaskFactory = (fields: NewTask, authorship?: Authorship) => Task

/** Makes tasks for one change: each gets the next number and an id that neither the ledger nor its siblings have. */
export function openTaskFactory(view: LedgerView): TaskFactory {
  const { ws, row } = view
  const given = new Set<string>()
  const { oid } = readHead(ws.repo)
  const head = oid === ws.repo.zeroOid ? null : oid
  const now = { at: ws.now(), by: ws.actor.name }
  const file = openFiling(view)
  return (filled, authorship = now) => {
    const fields = ws.actor.mode === 'human' ? filled : redacted(ws, filled)
    const task = createTask(fields, authorship, {
      number: row.last_number + given.size + 1,
      taskCount: row.tasks + given.size,
      isIdTaken: (id) => given.has(id) || hasId(view, id),
      salt: ws.random(16),
      head,
    })
    given.add(task.id)
    return file(task)
  }
}

/** Loaded only for agents. */
function redacted(ws: Workspace, fields: NewTask): NewTask {
  const { withoutSecrets }: typeof import('./redact-input.ts') = require('./redact-input.ts')
  return withoutSecrets(ws, fields, 'task')
}

/** Marks what an agent files inside a run. Beyond the run's limits it is filed on hold, and a person decides. */
function openFiling({ ws }: LedgerView): (task: Task) => Task {
  const { actor, state, warnings } = ws
  const { inRun, run } = actor
  if (inRun === undefined || run === undefined) return (task) => task
  const { filingRules }: typeof import('./checks/run-rights.ts') = require('./checks/run-rights.ts')
  const { countFiledIn }: typeof import('../state/index/list-entries.ts') = require('../state/index/list-entries.ts')
  const rules = filingRules(ws)
  let count = countFiledIn(state, run)
  let isWarned = false
  return (task) => {
    const filed = fileInRun({ run, task: inRun.task }, count++, rules)
    if (filed.held === undefined) return withFiledIn(task, filed)
    if (!isWarned)
      warnings.push(`${task.id} is filed on hold: ${whyHeld(filed.held, rules)}. A person decides about it.`)
    isWarned = true
    return withFiledIn({ ...task, on_hold: true }, filed)
  }
}

function whyHeld(limit: FilingLimit, { max, max_depth }: FilingRules): string {
  return limit === 'TOO_MANY_TASKS'
    ? `a run may file ${max} tasks`
    : `tasks of agents may file tasks ${max_depth} levels deep`
}
