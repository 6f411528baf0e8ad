import { nearestKey } from '../../core/config/nearest-key.ts'
import { command, sentence } from '../../core/sentence.ts'
import { editTask } from '../../core/task/operations.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { refuseOthersTask } from '../../tasks/checks/run-rights.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { viewChanged } from '../../workspace/views/view-changed.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { assignableNames } from './register-agent.ts'
import { takeFromHolder } from './take-from-holder.ts'

/**
 * Assigns a task to an agent, or with null to nobody. The earlier holder stays in the ledger's history but no longer
 * has the task.
 */
export async function assignTask(ws: Workspace, ref: string, agent: string | null): Promise<TaskView> {
  const name = agent === null ? null : await knownAgent(ws, agent.replace(/^@/, ''))
  const view = readLedger(ws)
  const asked = findTask(view, ref)
  refuseFinished(asked)
  refuseOthersTask(ws, asked, 'assign')
  const taken = await takeFromHolder(view, asked, name)
  const assigned = changeLedger(ws, (current) => {
    const task = findTask(current, asked.id)
    refuseFinished(task)
    const result = editTask(taken(task), { assigned_agent: name }, { at: ws.now(), by: ws.actor.name })
    const subject = name === null ? `unassign ${task.id}` : `assign ${task.id} ${name}`
    return { tasks: result === task ? [] : [result], subject, result }
  })
  if (assigned.status === 'failed')
    ws.warnings.push(
      sentence`#${assigned.number} has failed and stays failed; ${command`retry ${assigned.number}`} opens it again`,
    )
  return viewChanged(ws, [assigned])[0] as TaskView
}

async function knownAgent(ws: Workspace, name: string): Promise<string> {
  const names = assignableNames(readLedger(ws), await loadConfiguration(ws))
  if (names.includes(name)) return name
  const near = nearestKey(name, names)
  throw new UserError('UNKNOWN_AGENT', `There is no agent ${name}`, {
    hint: sentence`${near === null ? '' : `Did you mean ${near}? `}A new one: ${command`agents add ${name}`}`,
  })
}

function refuseFinished({ id, status, number }: Task): void {
  if (!isFinished({ status })) return
  throw new UserError('TASK_CLOSED', `${id} is ${status}`, { hint: command`edit ${number} --reopen` })
}
