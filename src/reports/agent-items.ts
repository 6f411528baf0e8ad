import { commandLine } from '../core/sentence.ts'
import { entryWithId } from '../state/index/find-entries.ts'
import { leaseOf } from '../state/live/leases.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { type AgentView, agentsIn } from '../workspace/views/list-agents.ts'
import type { InboxItem } from './inbox-item.ts'

/**
 * Agents that wait for something according to their note, and agents whose claim has ended without a result, also those
 * that gza did not start. `known`: the tasks that are in the inbox for a reason that says more.
 */
export function agentItems(view: LedgerView, known: ReadonlySet<string | undefined>): InboxItem[] {
  return agentsIn(view).flatMap((each) => {
    const { agent, detail: reason, current_task: task } = each
    if (task === null || known.has(task.id)) return []
    const about = [commandLine`show ${task.number}`, commandLine`note ${task.number} TEXT`]
    if (isSilent(view, each)) {
      const commands = [commandLine`work ${task.number}`, ...about]
      return [{ task, code: 'AGENT_SILENT', detail: `${agent} is ${reason}`, commands }]
    }
    return isWaiting(view, each)
      ? [{ task, code: 'AGENT_BLOCKED', detail: `${agent}: ${reason}`, commands: about }]
      : []
  })
}

/** The run of a dead worker is recovered by the next one, and is not a person's matter. */
function isSilent({ ws, row }: LedgerView, { status, current_task: task }: AgentView): boolean {
  if (status !== 'failed' || task === null || task.status === 'failed' || ws.live === null) return false
  const uid = entryWithId(ws.state, row.lid, task.id)?.uid
  return uid !== undefined && leaseOf(ws.live, uid)?.expires_at !== null
}

/** Its note says so. A task that only waits for other tasks, or that a person holds, needs nobody here. */
function isWaiting({ ws, row }: LedgerView, { status, current_task: task }: AgentView): boolean {
  if (status !== 'blocked' || task === null || !['pending', 'in_progress'].includes(task.status)) return false
  return entryWithId(ws.state, row.lid, task.id)?.on_hold === 0
}
