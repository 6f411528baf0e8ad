import { type RunView, viewRuns } from '../runs/watch/list-and-kill.ts'
import { countFailed, countFinished, entriesWithOpenRuns } from '../state/index/list-entries.ts'
import { leasesByLife } from '../state/live/leases.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { runElsewhere } from '../workspace/ledger/running-elsewhere.ts'
import { type OpenTask, openTasks } from '../workspace/views/ready-tasks.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { InboxItem } from './inbox-item.ts'
import { readInbox } from './read-inbox.ts'

/** Everything that gza watch shows. */
export interface WatchState {
  ledger: string
  counts: { in_progress: number; ready: number; blocked: number; completed: number; failed: number }
  runs: RunView[]
  /** Tasks claimed by agents that gza did not start here. */
  elsewhere: { number: number; id: string; title: string; holder: string; started_at: string }[]
  inbox: InboxItem[]
  /** Ready tasks in their order, then blocked ones. */
  queue: OpenTask[]
}

type Slow = Omit<WatchState, 'runs' | 'elsewhere'>

/**
 * Reads the state repeatedly. Whatever depends only on the ledger and the leases is read again only when one of them
 * has changed: searching ten thousand blocked tasks for cycles twice a second would keep a processor busy.
 */
export function watchReader(): (ws: Workspace) => Promise<WatchState> {
  let seen = ''
  let slow: Slow | undefined
  return async (ws) => {
    const view = readLedger(ws)
    const now = [view.row.ledger, view.row.tip, ...[...view.leased].sort()].join(' ')
    if (slow === undefined || now !== seen) slow = await readSlow(ws, view)
    seen = now
    const runs = viewRuns(ws)
    return { ...slow, runs, elsewhere: readElsewhere(view, new Set(runs.map(({ uid }) => uid))) }
  }
}

async function readSlow(ws: Workspace, view: LedgerView): Promise<Slow> {
  const open = openTasks(ws)
  const [ready, blocked] = [[...open.ready], [...open.blocked]]
  return {
    ledger: ws.ledger,
    counts: {
      in_progress: openCount(view, view.leased),
      ready: ready.length,
      blocked: blocked.length,
      completed: countFinished(ws.state, view.row.lid),
      failed: countFailed(ws.state, view.row.lid),
    },
    inbox: await readInbox(ws),
    queue: [...ready, ...blocked],
  }
}

function openCount(view: LedgerView, leased: ReadonlySet<string>): number {
  const here = [...leased].filter((uid) => entry(view, uid)?.status === 'pending').length
  return here + runningElsewhere(view).length
}

function readElsewhere(view: LedgerView, shown: ReadonlySet<string>): WatchState['elsewhere'] {
  const { ws } = view
  const claims = ws.live === null ? [] : leasesByLife(ws.live, ws.now()).held.filter(({ uid }) => !shown.has(uid))
  const claimed = claims.flatMap(({ uid, holder, taken_at }) => {
    const row = entry(view, uid)
    return row ? [{ number: row.number, id: row.id, title: row.title, holder, started_at: taken_at }] : []
  })
  return [...claimed, ...runningElsewhere(view)]
}

function runningElsewhere(view: LedgerView): WatchState['elsewhere'] {
  return entriesWithOpenRuns(view.ws.state, view.row.lid)
    .filter(({ uid }) => !view.leased.has(uid))
    .flatMap((row) => {
      const run = runElsewhere(view.ws, row)
      const { number, id, title } = row
      return run === null ? [] : [{ number, id, title, holder: run.machine, started_at: run.started_at }]
    })
}
