/**
 * Works through the landing queue: continues an earlier landing, then lands batch after batch until nothing more can
 * land. Only one process on a machine lands on a base at a time. If it dies, the next one continues from there.
 */

import type { Config } from '../core/config/settings.ts'
import { leadOf, whySetAside } from '../core/landing/landable-branch.ts'
import type { LandPlan } from '../core/landing/plan-landing.ts'
import { type Task, titleOf } from '../core/task/task.ts'
import { printable } from '../core/text/printable.ts'
import { isolatePrograms } from '../engine/isolation/agent-box/box-programs.ts'
import { markedBy } from '../platform/git/own-git.ts'
import { readRefs } from '../platform/git/refs.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { noteBase, recordGreen } from './base-checks.ts'
import { leftLockOf } from './build/follow-base.ts'
import { hasIntent, type Intent, readIntent, writeIntent } from './build/intent.ts'
import { type BatchResult, type LandedBranch, landBatch, type Refusal } from './build/land-batch.ts'
import type { LandMethod, LandOrder } from './build/land-order.ts'
import { emptyGitlinks, isLandPlace, type LandPlace, layOutLandPlace, resetLandPlace } from './build/land-place.ts'
import { hasChecks } from './build/verify-tree.ts'
import { finishLanding, type LandingEnd, resumeLanding } from './finish-landing.ts'
import { type LandBase, landBase } from './land-base.ts'
import { isLandLeaseHeld, type LandLease, releaseLandLease, takeLandLease } from './land-lease.ts'
import type { LandedTask, LandReport, LandWatcher } from './land-report.ts'
import { lateChecks } from './late-checks.ts'
import { whileShown } from './progress/landing-check.ts'
import type { QueuedBranch } from './read-landable-branches.ts'
import { recordRefusal, refusalLine } from './record-landing.ts'
import { compareOutside } from './red-in-box.ts'
import { treeCheck } from './tree-check.ts'
import { verifyInSlot } from './verify-in-slot.ts'

export interface LandRequest {
  config: Config
  /** The branch to land on, if it is not the branch of the ledger. */
  into?: string
  /** What may land now, according to the ledger; called again after each batch. */
  choose: (view: LedgerView, base: LandBase) => LandPlan<QueuedBranch>
  methodOf: (task: Task) => LandMethod
  watcher: LandWatcher
  cancel: AbortSignal
  /** For a caller that lands repeatedly: what it keeps between landings. The caller removes it at the end. */
  keeps?: LandKeeps
}

export interface LandKeeps {
  /** Commits whose trees were verified. */
  green: Set<string>
  /** Created when first needed, because that takes long in a large repository. */
  place: LandPlace | null
}

/** Null: another process is landing on this base. */
export async function landBranches(ws: Workspace, request: LandRequest): Promise<LandReport | null> {
  const base = landBase(ws, request.into)
  if (isLandLeaseHeld(ws, base.name)) return null
  const tried = new Set<string>()
  const first = findLandable(ws, request, tried, base)
  const report: LandReport = { base: base.name, landed: [], returned: [], waiting: null, stopped: null }
  // Without `keeps`, the caller relies on the lease to remove what a dead process has left.
  if (request.keeps !== undefined && first.landables.length === 0 && !hasIntent(ws.repo, base.name)) return report
  const lease = await takeLandLease(ws, base.name)
  if (lease === null) return null
  const keeps = request.keeps ?? { green: new Set(), place: null }
  const session: Session = { ws, request, lease, report, keeps, tried }
  try {
    await isolatePrograms(ws.repo, request.config.isolation.level)
    if (resume(session)) await landAll(session, first)
    return report
  } finally {
    releaseLandLease(ws, lease, { keepsPlace: request.keeps !== undefined })
  }
}

interface Session {
  ws: Workspace
  request: LandRequest
  lease: LandLease
  report: LandReport
  keeps: LandKeeps
  /** Tips that were refused in this session. They are not tried twice. */
  tried: Set<string>
}

/** False if an earlier landing still waits for a checkout: nothing can land before it. */
function resume(session: Session): boolean {
  const { ws, report, request } = session
  const left = readIntent(ws.repo, report.base)
  if (left === null) return true
  return (
    settle(session, left, resumeLanding(ws, left, { deleteBranches: request.config.delete_branches })) !== 'delayed'
  )
}

/** What may land now. */
interface Round {
  base: LandBase
  /** The commit of the ledger. */
  ledger: string
  landables: QueuedBranch[]
  /** Nothing else waits: no branch could land after these, or because of them. */
  isAll: boolean
}

function findLandable(ws: Workspace, request: LandRequest, tried: ReadonlySet<string>, base: LandBase): Round {
  const view = readLedger(ws)
  const plan = request.choose(view, base)
  const landables = plan.landables.filter(({ tip }) => tip !== null && !tried.has(tip))
  return { base, ledger: view.row.tip, landables, isAll: plan.refused.length === 0 }
}

/** Another landing ended after it was read, maybe one that this process has just completed for a dead one. */
function isOutdated(ws: Workspace, { base, ledger }: Round): boolean {
  const [tip, ledgerTip] = readRefs(ws.repo, [`refs/heads/${base.name}`, ledgerRef(ws.ledger)])
  return tip !== base.tip || (ledgerTip ?? '') !== ledger
}

/** Each round lands something, sends something back, or is the last. `first` was read before the lease was taken. */
async function landAll(session: Session, first: Round): Promise<void> {
  const { ws, request, report, tried } = session
  const next = () => findLandable(ws, request, tried, landBase(ws, report.base))
  for (let round = isOutdated(ws, first) ? next() : first; ; round = next()) {
    const { base, landables, isAll } = round
    if (landables.length === 0) return
    if (request.cancel.aborted) {
      report.stopped = { code: 'CANCELLED', detail: 'stopped', in_box: null }
      return
    }
    const result = await tryBatch(session, base, landables.slice(0, request.config.land_batch))
    const ended = result.landed.length > 0 ? landRow(session, base, landables, result.landed) : null
    if (ended === 'delayed') return
    for (const refusal of result.refused) refuse(session, landables, refusal)
    if (result.stopped !== null) {
      report.stopped = result.stopped
      if (result.stopped.code === 'BASE_RED') noteBase(ws, request.config, base, result.stopped)
      return
    }
    // If the base itself fails, no task is sent back for it.
    if (result.landed.length > 0 || result.refused.some(({ outcome }) => outcome === 'red'))
      noteBase(ws, request.config, base, null)
    if (isAll && ended === 'landed' && result.landed.length === landables.length) return
  }
}

async function tryBatch(session: Session, base: LandBase, landables: readonly QueuedBranch[]): Promise<BatchResult> {
  const { ws, request, lease, keeps } = session
  const { green } = keeps
  const marker = lease.lease.run
  const kept = isLandPlace(keeps.place) ? markedBy(keeps.place, marker) : null
  if (kept !== null) {
    resetLandPlace(kept, base.tip)
    if (request.config.verify.command !== null) emptyGitlinks(kept)
  }
  const place = kept ?? layOutLandPlace(ws.repo, lease.path, { commit: base.tip, marker })
  keeps.place = place
  const check = await treeCheck(ws, request.config, { marker, cancel: request.cancel })
  return landBatch(place, {
    start: base.tip,
    orders: landables.map((landable) => orderOf(landable, request)),
    isStartGreen: green.has(base.tip),
    passed: (step) => passStep(ws.env, step),
    verify: async (commit, branches, suspects) => {
      const own = lateChecks(landables, branches)
      if (green.has(commit) && own.length === 0) return null
      const whole = { ...check, own }
      if (hasChecks(whole)) {
        resetLandPlace(place, commit)
        request.watcher.verifying?.(numbersOn(ws, landables, branches), base.name)
      }
      const shown = {
        base: base.name,
        verifying: uidsOn(landables, branches),
        suspects: uidsOn(landables, suspects),
      }
      const red = await whileShown(ws, lease, shown, async () => {
        const found = await verifyInSlot(ws, place, commit, whole)
        const about = { config: request.config, place, commit, check: whole }
        return found === null || branches.length > 0 ? found : compareOutside(ws, { ...about, red: found })
      })
      if (red === null) {
        green.add(commit)
        recordGreen(ws, request.config, commit)
      }
      return red
    },
  })
}

function numbersOn(ws: Workspace, landables: readonly QueuedBranch[], branches: readonly LandOrder[]): number[] {
  const view = readLedger(ws)
  return uidsOn(landables, branches).flatMap((uid) => numberOf(view, uid))
}

function uidsOn(landables: readonly QueuedBranch[], branches: readonly LandOrder[]): string[] {
  const names = new Set(branches.map(({ branch }) => branch))
  return landables.filter(({ branch }) => names.has(branch)).flatMap(({ tasks }) => tasks.map(({ uid }) => uid))
}

function orderOf(landable: QueuedBranch, { methodOf }: LandRequest): LandOrder {
  const { branch, tip, branchTip, landed, needs, tasks } = landable
  const lead = leadOf(landable)
  const tips = { tip: tip as string, branchTip: branchTip ?? (tip as string) }
  const about = { branch, ...tips, landed, needs, method: methodOf(lead) }
  return { ...about, title: printable(titleOf(lead)), ids: tasks.map(({ id }) => id) }
}

function landRow(
  session: Session,
  base: LandBase,
  landables: readonly QueuedBranch[],
  row: readonly LandedBranch[],
): LandingEnd['kind'] {
  const { ws, request } = session
  const intent: Intent = {
    base: base.name,
    ledger: ws.ledger,
    from: base.tip,
    to: row.at(-1)?.tip ?? base.tip,
    at: ws.now(),
    by: ws.actor.name,
    delayed: null,
    works: row.map(({ order, commits, rebased }, index) => ({
      id: ws.random(16),
      branch: order.branch,
      ...aboutTasks(landables.find(({ branch }) => branch === order.branch)),
      head: order.tip,
      branch_tip: order.branchTip,
      rebased: rebased ?? null,
      method: order.method,
      commits,
      onto: row[index - 1]?.tip ?? base.tip,
    })),
  }
  writeIntent(ws.repo, intent)
  passStep(ws.env, 'land-intended')
  return settle(session, intent, finishLanding(ws, intent, { deleteBranches: request.config.delete_branches }))
}

function aboutTasks(landable: QueuedBranch | undefined): Pick<Intent['works'][number], 'uids' | 'unfinished'> {
  const uids = landable?.tasks.map(({ uid }) => uid) ?? []
  return landable !== undefined && whySetAside(landable) !== null ? { uids, unfinished: true } : { uids }
}

/** Reports how a landing ended. */
function settle({ ws, report, request, keeps }: Session, intent: Intent, finished: LandingEnd): LandingEnd['kind'] {
  const { watcher } = request
  switch (finished.kind) {
    case 'landed': {
      keeps.green.add(intent.to)
      const view = readLedger(ws)
      for (const task of finished.tasks) {
        const landed = landedTask(view, task, intent)
        report.landed.push(landed)
        watcher.landed(landed)
      }
      watcher.moved(intent.works.map(({ branch }) => branch))
      break
    }
    case 'delayed': {
      const { path, why } = finished
      const view = readLedger(ws)
      const numbers = intent.works.flatMap(({ uids }) => uids.flatMap((uid) => numberOf(view, uid)))
      report.waiting = { path, detail: why, lock: leftLockOf(ws.repo, path, intent.base), numbers }
      watcher.waiting(report.waiting, intent.base)
      break
    }
    case 'stale':
      break
    default:
      return finished satisfies never
  }
  return finished.kind
}

function landedTask(view: LedgerView, task: Task, { base, works }: Intent): LandedTask {
  const work = works.find(({ uids }) => uids.includes(task.uid))
  const [number = task.number] = numberOf(view, task.uid)
  const about = { number, id: task.id, title: titleOf(task), base }
  return { ...about, method: work?.method ?? '', commits: work?.commits ?? [] }
}

function numberOf(view: LedgerView, uid: string): number[] {
  const row = entry(view, uid)
  return row === undefined ? [] : [row.number]
}

function refuse({ ws, request, report, tried }: Session, landables: readonly QueuedBranch[], refusal: Refusal): void {
  tried.add(refusal.order.tip)
  const landable = landables.find(({ branch }) => branch === refusal.order.branch)
  if (landable === undefined) return
  const { uid } = leadOf(landable)
  const recorded = recordRefusal(ws, { ...refusal, uid, base: report.base }, request.config.land_attempts)
  passStep(ws.env, 'land-returned')
  if (recorded === null) return
  const { task, isSentBack } = recorded
  const [number = task.number] = numberOf(readLedger(ws), uid)
  const returned = {
    number,
    id: task.id,
    title: titleOf(task),
    outcome: refusal.outcome,
    detail: refusalLine(task),
    lead: null,
    sent_back: isSentBack,
  }
  report.returned.push(returned)
  request.watcher.returned(returned)
}
