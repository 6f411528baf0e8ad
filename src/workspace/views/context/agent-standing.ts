/** Where the agent that asks stands: what it has, or what it could take. */
import type { NamedTask, Standing } from '../../../core/documents/next-steps.ts'
import { isFinished } from '../../../core/task/status-predicates.ts'
import { countChildren } from '../../../state/index/family-entries.ts'
import type { Entry } from '../../../state/index/index-tables.ts'
import { openEntries } from '../../../state/index/list-entries.ts'
import { type Lease, leasesByLife } from '../../../state/live/leases.ts'
import { entry, type LedgerView } from '../../ledger/ledger-view.ts'
import { readyRows } from '../ready-tasks.ts'
import { derivedStatus } from '../task-status.ts'

/** `asked`: the task that the agent asked about, or the current one of a plan. */
export function standingOf(view: LedgerView, asked: string | null): Standing {
  const own = ownTask(view)
  const { inRun } = view.ws.actor
  const running = inRun?.task === undefined || inRun.task === null ? undefined : entry(view, inRun.task)
  if (running !== undefined) return { state: 'in_run', task: nameOf(running) }
  const row = asked === null ? undefined : entry(view, asked)
  if (row !== undefined && row.uid !== own?.row.uid) return standingBefore(view, row)
  if (own !== null) return { state: 'claimed', task: nameOf(own.row), by: own.isSure ? null : view.ws.actor.name }
  return firstFree(view) ?? waitingIn(view)
}

/**
 * Inside a run, or with a claim, the agent's own task is the current one, whatever the position of the other work. An
 * agent that calls commands is known by its name alone, which other sessions of the same client have too.
 */
export function ownTask(view: LedgerView): { row: Entry; isSure: boolean } | null {
  const { live, actor, now } = view.ws
  if (live === null || actor.mode === 'human') return null
  const isSure = (actor.run ?? actor.connection) !== undefined
  const isOwn = ({ run, connection, holder, expires_at }: Lease) => {
    if (actor.run !== undefined) return run === actor.run
    if (actor.connection !== undefined) return connection === actor.connection
    return holder === actor.name && expires_at !== null
  }
  const lease = leasesByLife(live, now()).held.find((each) => view.leased.has(each.uid) && isOwn(each))
  const row = lease && entry(view, lease.uid)
  return row ? { row, isSure } : null
}

function standingBefore(view: LedgerView, row: Entry): Standing {
  const task = nameOf(row)
  const status = derivedStatus(view, row)
  const not = (why: Extract<Standing, { state: 'not_ready' }>['why']): Standing => ({ state: 'not_ready', task, why })
  if (isFinished({ status })) return not('finished')
  if (row.on_hold || row.asks) return not('held')
  if (status === 'in_progress' || status === 'failed' || status === 'blocked') return not(status)
  const parts = countChildren(view.ws.state, view.row.lid, row.uid)
  return parts.total > parts.done ? not('in_parts') : { state: 'ready', task }
}

/** The most urgent task that can start, and that is not left to another agent. */
function firstFree(view: LedgerView): Standing | null {
  const { mode, name } = view.ws.actor
  let looked = 0
  for (const { uid } of readyRows(view)) {
    const row = entry(view, uid)
    const isFree = mode === 'human' || !row?.assigned_agent || row.assigned_agent === name
    if (row !== undefined && isFree) return { state: 'ready', task: nameOf(row) }
    if (++looked === MOST_LOOKED_AT) return null
  }
  return null
}

/** Each costs a query. */
const MOST_LOOKED_AT = 100

function waitingIn(view: LedgerView): Standing {
  const open = openEntries(view.ws.state, view.row.lid)
  const counts = { blocked: 0, failed: 0, asking: 0, held: 0, running: 0 }
  let first: Entry | undefined
  for (const row of open) {
    const kind = kindOf(view, row)
    if (kind === null) continue
    counts[kind]++
    first ??= kind === 'running' ? undefined : row
  }
  if (open.length === 0) return { state: 'nothing_open', task: null }
  return { state: 'waiting', task: first === undefined ? null : nameOf(first), ...counts }
}

/** Null for a task whose parts are worked on. */
function kindOf(view: LedgerView, row: Entry): 'blocked' | 'failed' | 'asking' | 'held' | 'running' | null {
  const status = derivedStatus(view, row)
  if (status === 'in_progress') return 'running'
  if (row.asks) return 'asking'
  if (row.on_hold) return 'held'
  return status === 'blocked' || status === 'failed' ? status : null
}

function nameOf({ number, id, title }: Entry): NamedTask {
  return { number, id, title }
}
