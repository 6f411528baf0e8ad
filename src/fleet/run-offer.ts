/** One run for the fleet, in a process of its own and with the same scheduler as everywhere. It may wait for git. */
import type { Config } from '../core/config/settings.ts'
import type { Offer } from '../core/fleet/choose-offers.ts'
import { isAboveAll } from '../core/fleet/fence.ts'
import { whyTaskSpent } from '../core/run/budgets.ts'
import { notBefore } from '../core/run/run-rules.ts'
import type { Task } from '../core/task/task.ts'
import { isolateRuns } from '../engine/isolation/agent-box/box-programs.ts'
import { runGit, tryGit } from '../platform/git/git.ts'
import { runOwnGit } from '../platform/git/own-git.ts'
import { isBranchName, readRef } from '../platform/git/refs.ts'
import { checkoutsOf } from '../platform/git/worktrees.ts'
import { recoverRuns } from '../runs/recover-runs.ts'
import { whyDaySpent } from '../runs/spend/day-budget.ts'
import { openWorkSession } from '../scheduler/open-work-session.ts'
import { startRun } from '../scheduler/start-run.ts'
import { configurationToWork } from '../scheduler/work-options.ts'
import type { WorkWatcher } from '../scheduler/work-report.ts'
import type { Running, WorkSession } from '../scheduler/work-session.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { leasesByLife } from '../state/live/leases.ts'
import { executableConfig, trustConfig } from '../workspace/config/trust-config.ts'
import { followFleet } from '../workspace/fleet/record-in-fleet.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'

/** `stale`: the offer is of no use any more. `later`: the task cannot start here now. */
type RunEnd = { result: 'ran' } | { result: 'stale' } | { result: 'later'; seconds: number; why: string }

/** `kept`: the work of earlier runs of this clone that died. No fact of theirs will be accepted. */
export type OfferEnd = RunEnd & { kept: KeptWork[] }

export interface KeptWork {
  run: string
  head: string
}

export interface OfferToRun extends Offer {
  claim: number
  trustsBase: boolean
}

const LATER_SECONDS = 30
const SPENT_SECONDS = 300

export async function runOffer(ws: Workspace, offer: OfferToRun, watcher: WorkWatcher): Promise<OfferEnd> {
  const kept = await retireDeadRuns(ws, watcher.events.reported)
  return { ...(await runOne(ws, offer, watcher)), kept }
}

/** What their agents had left uncommitted is committed first. */
async function retireDeadRuns(ws: Workspace, report: (sentence: string) => void): Promise<KeptWork[]> {
  const dead = leasesByLife(liveOf(ws), ws.now()).abandoned
  for (const sentence of await recoverRuns(ws)) report(sentence)
  return dead.flatMap(({ run, branch, head: start }) => {
    const head = branch === null ? null : readRef(ws.repo, `refs/heads/${branch}`)
    return head === null || head === start ? [] : [{ run, head }]
  })
}

async function runOne(ws: Workspace, offer: OfferToRun, watcher: WorkWatcher): Promise<RunEnd> {
  followFleet(ws)
  const task = findOffered(ws, offer)
  if (task === null) return { result: 'stale' }
  followBranches(ws, task)
  if (offer.trustsBase && executableConfig(ws).some(({ trusted }) => !trusted)) trustConfig(ws)
  const { config } = await configurationToWork(ws)
  const late = whyLater(ws, config, task)
  if (late !== null) return late
  const isolation = await isolateRuns(ws.repo, config.isolation)
  // A run of an older claim may still be open: it is taken over. Its worker is gone, or will be refused.
  const options = { refs: [task.id], takeOver: true, baseCheck: false, workers: 1, count: 1 }
  const session = openWorkSession({ ws, config: withoutLanding(config), options, isolation, watcher })
  try {
    const running = await start(session, task)
    if (running === null) return notStarted(session)
    watcher.cancel.addEventListener('abort', () => running.abort.abort())
    if (watcher.cancel.aborted) running.abort.abort()
    await running.done
    if (session.slots.broken !== null) throw session.slots.broken
    const { fault } = session.slots
    return fault === null ? { result: 'ran' } : { result: 'later', seconds: LATER_SECONDS, why: fault.message }
  } finally {
    await session.services.lander.close()
    if (!watcher.cancel.aborted) await session.services.maintenance.close()
  }
}

/** The task, if this offer is newer than all that is known about it. */
function findOffered(ws: Workspace, offer: OfferToRun): Task | null {
  const view = readLedger(ws)
  const task = taskOf(ws.state, view.row.lid, offer.uid)
  const isWanted = task !== null && task.status === 'pending' && !task.deleted && task.generation === offer.generation
  return isWanted && isAboveAll(task, offer) ? task : null
}

/** The pause after a failure, and budgets, as a session of `gza work` respects them. Budgets are those of this machine. */
function whyLater(ws: Workspace, config: Config, task: Task): RunEnd | null {
  const wait = Math.ceil(((notBefore(task, config.retry.backoff_seconds) ?? 0) - ws.clock()) / 1000)
  if (wait > 0) return { result: 'later', seconds: wait, why: 'it has failed just now' }
  const spent = whyTaskSpent(config.budgets, task)
  if (spent !== null) return { result: 'later', seconds: SPENT_SECONDS, why: `it has spent its budget (${spent})` }
  if (whyDaySpent(ws, config.budgets) === null) return null
  return { result: 'later', seconds: SPENT_SECONDS, why: 'the budget of the day is spent on this machine' }
}

/** Once more if the session first wants to see what others have pushed. */
async function start(session: WorkSession, task: Task): Promise<Running | null> {
  const running = startRun(session, task)
  const looking = session.services.remote.looking()
  if (running !== null || looking === null) return running
  await looking
  return startRun(session, task)
}

function notStarted({ report }: WorkSession): RunEnd {
  const [refused] = report.refused
  const [paused] = report.paused
  const why = refused?.message ?? (paused ? `${paused.agent} is paused until ${paused.until}` : 'it may not start now')
  return { result: 'later', seconds: LATER_SECONDS, why }
}

/** What a worker has finished lands where a person lands it. */
function withoutLanding(config: Config): Config {
  const types = Object.entries(config.task_types).map(([type, own]) => [type, { ...own, land: 'branch' }])
  return { ...config, land: 'branch', task_types: Object.fromEntries(types) }
}

/**
 * The base and the task's branch are where the remote has them. Work that the remote did not accept is kept there under
 * refs/gza/runs.
 */
function followBranches({ repo, ledger }: Workspace, task: Task): void {
  const base = `refs/remotes/origin/${ledger}`
  if (readRef(repo, base) !== null) runOwnGit(repo, ['checkout', '--quiet', '--force', '-B', ledger, base])
  const { branch } = task
  if (!isBranchName(branch) || branch === ledger) return
  const [ours, theirs] = [`refs/heads/${branch}`, readRef(repo, `refs/remotes/origin/${branch}`)]
  if (readRef(repo, ours) === theirs) return
  for (const path of checkoutsOf(repo, branch)) tryGit(repo, ['worktree', 'remove', '--force', '--force', path])
  runGit(repo, theirs === null ? ['update-ref', '-d', ours] : ['update-ref', ours, theirs])
}
