import { effective } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import { leadOf, type WhyNot, whyRefusedBefore } from '../core/landing/landable-branch.ts'
import { planLanding } from '../core/landing/plan-landing.ts'
import { commandLine } from '../core/sentence.ts'
import { titleOf } from '../core/task/task.ts'
import type { Weakening } from '../core/weakened/weakening.ts'
import { checkoutsOf } from '../platform/git/worktrees.ts'
import { isHeld, leaseOf } from '../state/live/leases.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isCheckoutLocked, whyBusy } from './build/follow-base.ts'
import { type Intent, readIntent } from './build/intent.ts'
import { isBegunIn } from './finish-landing.ts'
import { landBase } from './land-base.ts'
import { currentCheck, whyChecked } from './progress/landing-check.ts'
import { type QueuedBranch, readLandableBranches } from './read-landable-branches.ts'

export interface QueueItem {
  number: number
  id: string
  uid: string
  title: string
  branch: string
  base: string
  /** READY, VERIFYING, BISECTING, LANDING, CHECKOUT_DIRTY, CHECKOUT_LOCKED, or why it cannot land. */
  code: string
  detail: string
  /** Branches that must land before it. */
  needs_branches: readonly string[]
  /** Files that it changes and that its tasks do not declare. */
  outside: readonly string[]
  /** Where it makes checks see less. */
  weakened: readonly Weakening[]
  /** The configuration lets it land automatically. */
  automatic: boolean
}

/** The tasks that have not landed: first those that may, in their order, then those that may not, and why. */
export async function readQueue(ws: Workspace, options: { into?: string } = {}): Promise<QueueItem[]> {
  return queueItems(readLedger(ws), await loadConfiguration(ws), options.into)
}

export function queueItems(view: LedgerView, config: Config, into?: string): QueueItem[] {
  return queuedWork(view, config, into).map(({ item }) => item)
}

/** The same, each with the facts that decide about it. */
export function queuedWork(
  view: LedgerView,
  config: Config,
  into?: string,
): { item: QueueItem; landable: QueuedBranch }[] {
  const { ws } = view
  const base = landBase(ws, into)
  const isAutomatic = (landable: QueuedBranch) => effective(config, leadOf(landable).type).land !== 'branch'
  const landables = readLandableBranches(view, config, base)
  const plan = planLanding(landables, (landable) => (isAutomatic(landable) ? 'unattended' : 'all'))
  const intent = readIntent(ws.repo, base.name)
  const check = currentCheck(view, base.name)
  const ready = plan.landables.map((landable) => ({
    landable,
    why:
      whyChecked(
        check,
        landable.tasks.map(({ uid }) => uid),
      ) ??
      whyRefusedBefore(landable) ??
      whyReady(ws, landable, intent, isAutomatic(landable)),
  }))
  const refused = plan.refused.filter(({ why }) => why.code !== 'LANDED' && why.code !== 'NOTHING_TO_LAND')
  const all: { landable: QueuedBranch; why: Pick<WhyNot, 'needs'> & Record<'code' | 'detail', string> }[] = [
    ...ready,
    ...refused,
  ]
  return all.map(({ landable, why: { code, detail, needs = [] } }) => ({
    item: {
      ...nameOf(view, landable),
      branch: landable.branch,
      base: base.name,
      ...{ code, detail, needs_branches: needs },
      outside: landable.outside ?? [],
      weakened: landable.weakened ?? [],
      automatic: isAutomatic(landable),
    },
    landable,
  }))
}

function whyReady(ws: Workspace, landable: QueuedBranch, intent: Intent | null, isAutomatic: boolean) {
  const isIntended =
    intent?.works.some(({ branch, head }) => branch === landable.branch && head === landable.tip) ?? false
  const busy = isIntended && intent?.delayed ? whyStillBusy(ws, intent, intent.delayed) : null
  if (busy !== null) return busy
  const lease = ws.live === null ? null : leaseOf(ws.live, `land:${landable.base}`)
  if (isIntended && lease !== null && isHeld(lease, ws.now())) return { code: 'LANDING', detail: 'is landing now' }
  return {
    code: 'READY',
    detail: isAutomatic ? `lands with the next ${commandLine`work`}` : `waits for ${commandLine`merge`}`,
  }
}

/** Looks at the checkout again, which may be clean by now. A reason that only a failed git command showed is kept. */
function whyStillBusy({ repo }: Workspace, intent: Intent, { path, why, isSeen }: Delay) {
  const isThere = checkoutsOf(repo, intent.base).includes(path)
  const look = () => (isThere ? whyBusy(repo, path, { ...intent, isBegun: isBegunIn(intent) }) : null)
  const now = isSeen ? look() : why
  if (now === null) return null
  const isLocked = isThere && isCheckoutLocked(repo, path, intent.base)
  // A person's changes are to be committed, a left-over lock is to be moved elsewhere.
  const code = isLocked ? 'CHECKOUT_LOCKED' : 'CHECKOUT_DIRTY'
  return { code, detail: `is verified; ${path} ${now}` }
}

type Delay = NonNullable<Intent['delayed']>

function nameOf(view: LedgerView, landable: QueuedBranch): Pick<QueueItem, 'number' | 'id' | 'uid' | 'title'> {
  const lead = leadOf(landable)
  const row = entry(view, lead.uid)
  return { number: row?.number ?? lead.number, id: row?.id ?? lead.id, uid: lead.uid, title: titleOf(lead) }
}
