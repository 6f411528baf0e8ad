/** Why a task is not running: exactly one code, and one line. */
import { attemptsOf, notBefore } from '../../core/run-rules.ts'
import { leaseOf } from '../../state/sqlite/leases.ts'
import { loadConfiguration } from '../configuration.ts'
import { readLedger } from '../fresh-ledger.ts'
import { entry, findTask } from '../ledger-view.ts'
import { blockersOf, derivedStatus } from '../task-view.ts'
import type { TaskName } from '../views.ts'
import type { Workspace } from '../workspace.ts'
import { pausedUntil } from './pauses.ts'
import { agentFor } from './take-job.ts'

export interface Why {
  number: number
  id: string
  code: string
  line: string
}

export async function whyTask(ws: Workspace, ref: string): Promise<Why> {
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  const say = (code: string, line: string): Why => ({ number: row.number, id: row.id, code, line })
  const status = derivedStatus(view, row)
  if (status === 'completed') return say('COMPLETED', `it was completed at ${task.closed_at}`)
  if (status === 'skipped') return say('SKIPPED', `it was skipped at ${task.closed_at}`)
  if (status === 'failed')
    return say('FAILED', `it failed after ${attemptsOf(task)} attempts; gza retry ${row.number} tries again`)
  if (status === 'in_progress') {
    const lease = ws.live === null ? null : leaseOf(ws.live, task.uid)
    return say(
      'RUNNING',
      lease?.released_at === null ? `${lease.holder} has it since ${lease.taken_at}` : `it runs on ${row.running_on}`,
    )
  }
  if (task.on_hold)
    return say('ON_HOLD', `its workflow was aborted; gza resolve ${row.number} --reset takes it up again`)
  if (status === 'blocked') return whyBlocked(blockersOf(view, row), say)
  const moment = notBefore(task, config.retry.backoff_seconds)
  if (moment !== null && moment > Date.parse(ws.now()))
    return say('BACKOFF', `its last attempt failed; the next may start at ${new Date(moment).toISOString()}`)
  const agent = agentFor(config, task, {}).name
  const until = pausedUntil(ws.env, agent, new Date().toISOString())
  if (until !== null) return say('AGENT_PAUSED', `${agent} is at its usage limit until ${until}`)
  return say('READY', `it can start now: gza work ${row.number}`)
}

function whyBlocked(blockers: readonly TaskName[], say: (code: string, line: string) => Why): Why {
  const failed = blockers.find(({ status }) => status === 'failed')
  if (failed) return say('DEPENDENCY_FAILED', `it waits for #${failed.number}, which has failed`)
  const names = blockers.map(({ number, status }) => `#${number} (${status === 'blocked' ? 'pending' : status})`)
  return say('BLOCKED', `it waits for ${names.join(', ')}`)
}
