/** Leases a task to this process for one run. */
import type { Agent } from '../agents/agent.ts'
import type { Config } from '../core/config/settings.ts'
import { taskLine } from '../core/ledger/task-line.ts'
import { command } from '../core/sentence.ts'
import { type FilingRules, filedIn } from '../core/task/filed-in.ts'
import { type Task, titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { earlierOutcome } from '../engine/phase/keep-outcome.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { workplacePath } from '../engine/worktree/workplace.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { lineOf } from '../state/index/read-tasks.ts'
import { isPlaceHeld, type Lease, releaseLease, takeLease } from '../state/live/leases.ts'
import { beginRun, updateRun } from '../state/live/live-runs.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { keepShowingLife } from './keep-showing-life.ts'
import { newRun, thisWorker } from './new-run.ts'
import { branchFor, branchOf, planRun } from './plan-run.ts'
import type { RunOptions } from './run-options.ts'

export interface TakenRun {
  plan: RunPlan
  lease: Lease
  /** The earlier run that did not release the task. It is ended before anything else is done. */
  from: Lease | null
  /** A person asked to take the task from the one who has it, also in another clone. */
  takesOver: boolean
}

export interface TakeOptions extends Omit<RunOptions, 'agent'> {
  agent: Agent
}

/** Plans the run and takes the task for it. Null when another worker has it, or its branch. */
export function takeRun(view: LedgerView, config: Config, task: Task, options: TakeOptions): TakenRun | null {
  const { ws } = view
  const now = ws.now()
  const run = newRun(ws, now)
  const branch = branchFor(view, task)
  const path = workplacePath(ws.repo, ws.env, { branch, run })
  const live = liveOf(ws)
  if (branch !== null && isPlaceHeld(live, { uid: task.uid, path }, now)) return null
  const plan = planRun(view, config, task, { ...options, run, branch, path })
  const mayHaveOutcome = options.resume !== false && plan.order.review === null
  const earlier = mayHaveOutcome ? earlierOutcome(live, task, plan.order.promptKey) : null
  return leaseRun(ws, { ...plan, order: { ...plan.order, earlier } }, { takeOver: options.takeOver ?? false })
}

/** Another task is using the branch that this one continues. */
export function isBranchBusy(view: LedgerView, task: Task): boolean {
  const { ws } = view
  const branch = branchFor(view, task)
  if (branch === null) return false
  const path = workplacePath(ws.repo, ws.env, { branch, run: '' })
  return isPlaceHeld(liveOf(ws), { uid: task.uid, path }, ws.now())
}

export function branchBusy(view: LedgerView, task: Task): UserError {
  const message = `its branch ${branchOf(view, task)} is used by another task`
  return new UserError('BRANCH_BUSY', message, { hint: command`ps` })
}

/** Takes the lease, before any other step of a run. */
export function leaseRun(ws: Workspace, plan: RunPlan, { takeOver }: { takeOver: boolean }): TakenRun | null {
  const { run, task, number, attempt, ledger } = plan.subject
  const { branch, path, from: head } = plan.place
  const agent = plan.worker.agent.name
  const live = liveOf(ws)
  const now = ws.now()
  const worker = { holder: agent, machine: ws.machine, ...thisWorker(), expires_at: null }
  const wanted = { uid: task.uid, ledger, run, ...worker, head, branch, path, taken_at: now }
  const taken = takeLease(live, wanted, { now, takeOver })
  if (taken === null) return null
  keepShowingLife(ws)
  passStep(ws.env, 'leased')
  // If a dead holder had the task, changes by it are expected: its run is ended first.
  if (taken.from === null && hasMoved(ws, task)) {
    releaseLease(live, task.uid, taken.lease.token, now)
    return null
  }
  if (taken.from !== null) updateRun(live, taken.from.run, { cancel: 'kill' })
  const about = { run, uid: task.uid, ledger, number, title: titleOf(task), type: task.type, attempt }
  beginRun(live, { ...about, agent, started_at: now, filing: JSON.stringify(filingOf(plan)) })
  passStep(ws.env, 'begun')
  return { plan, ...taken, takesOver: takeOver }
}

/** Written where its agent does not look for settings: the agent's own gza.yaml may say anything. */
function filingOf({ subject, worker }: RunPlan): FilingRules {
  const { max_filed_tasks: max, max_filing_depth: max_depth } = worker.settings
  return { max, max_depth, depth: filedIn(subject.task)?.depth ?? 0 }
}

/** Somebody changed the task after we planned the run, so the plan is outdated. */
function hasMoved(ws: Workspace, planned: Task): boolean {
  return lineOf(ws.state, readLedger(ws).row.lid, planned.uid) !== taskLine(planned)
}
