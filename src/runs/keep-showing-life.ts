import { showLife } from '../state/live/leases.ts'
import type { Live } from '../state/live/open-live.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { thisWorker } from './new-run.ts'

/** Well below the two minutes after which others take a holder that they cannot see for dead. */
const BEAT_MS = 20_000

const SHOWING = new WeakSet<Live>()

/** As long as this process has the store open, its leases show that it is alive. Called whenever it takes a lease. */
export function keepShowingLife(ws: Workspace): void {
  const live = liveOf(ws)
  if (SHOWING.has(live)) return
  SHOWING.add(live)
  const timer = setInterval(() => {
    try {
      showLife(live, thisWorker(), ws.now())
    } catch {
      // The store cannot be written now, and the next beat tries again; or it was closed, and this process is ending.
    }
  }, BEAT_MS)
  timer.unref()
}
