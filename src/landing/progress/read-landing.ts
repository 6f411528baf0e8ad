import { lastRefusal, whyNotLand } from '../../core/landing/landable-branch.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { knownRedBase } from '../base-checks.ts'
import { landBase } from '../land-base.ts'
import { isLandLeaseHeld } from '../land-lease.ts'
import { type QueueItem, queuedWork } from '../read-queue.ts'
import { type CurrentCheck, currentCheck } from './landing-check.ts'
import { landingVersion } from './landing-version.ts'

/** The landing queue of a base with everything that a person needs to decide about it. */
export interface Landing {
  base: string
  /** A process lands on the base now. */
  isLanding: boolean
  check: CurrentCheck | null
  /** The base fails its own checks, so nothing lands. */
  red: { why: string; run: string } | null
  /** The command that checks what would land; null: nothing is checked. */
  verify: string | null
  items: QueuedItem[]
}

interface QueuedItem extends QueueItem {
  refusal: LandRefusal | null
  /** The last commit that would land; null: its branch is gone. */
  head: string | null
  /** A landing names it: it is refused once the work, its reviews or its task have changed. */
  version: string
  /** A person may land it by naming it, also if it does not land with the others. */
  canBeNamed: boolean
}

/** The last attempt to land a task, if it failed. */
interface LandRefusal {
  outcome: string
  at: string
  detail: string
}

export async function readLanding(ws: Workspace): Promise<Landing> {
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  const { name } = landBase(ws)
  const red = knownRedBase(ws)
  return {
    base: name,
    isLanding: isLandLeaseHeld(ws, name),
    check: currentCheck(view, name),
    red: red?.base === name ? { why: red.why, run: red.run } : null,
    verify: config.verify.command,
    items: queuedWork(view, config).map((queued) => ({
      ...queued.item,
      refusal: refusalOf(view, queued.item),
      head: queued.landable.tip,
      version: landingVersion(view, queued),
      canBeNamed: canBeNamed(queued),
    })),
  }
}

function canBeNamed({ item, landable }: ReturnType<typeof queuedWork>[number]): boolean {
  return item.needs_branches.length === 0 && whyNotLand(landable, 'named') === null
}

const REFUSED: ReadonlySet<string> = new Set(['SENT_BACK', 'LAND_RED', 'LAND_CONFLICT'])

function refusalOf({ ws, row }: LedgerView, { uid, code }: QueueItem): LandRefusal | null {
  const task = REFUSED.has(code) ? taskOf(ws.state, row.lid, uid) : null
  const refusal = task && lastRefusal(task)
  return refusal && { outcome: refusal.outcome, at: refusal.at, detail: String(refusal.detail ?? '') }
}
