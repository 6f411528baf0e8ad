/** Makes a task this process's own and gathers all that its run needs to know. */

import type { Agent } from '../agents/agent.ts'
import { configuredAgent } from '../agents/configured-agent.ts'
import { effective, effectiveFor } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import { branchName } from '../core/run/branch-name.ts'
import { lastRun, nextAttempt } from '../core/run/run-rules.ts'
import { command } from '../core/sentence.ts'
import { type Run, type Task, titleOf, uidOf } from '../core/task/task.ts'
import { taskLine } from '../core/task/task-line.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { UserError } from '../core/user-error.ts'
import type { RalphOrder, RunPlan } from '../engine/phase/run-plan.ts'
import { readRef, refInTheWay } from '../platform/git/refs.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { processStartTime } from '../platform/processes/process-identity.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { isBranchLeased, isPlaceHeld, type Lease, releaseLease, takeLease } from '../state/live/leases.ts'
import { beginRun, updateRun } from '../state/live/live-runs.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { clientOf } from './claims/register-agent.ts'
import { earlierPhaseOutcome } from './phase-outcome.ts'
import { buildPrompt, promptTemplate } from './prompt/build-prompt.ts'
import { OUTPUT_FOLDERS } from './prompt/output-folders.ts'
import { planReview } from './prompt/plan-review.ts'
import { baseCommit, type StartPoint, startPoint } from './prompt/start-point.ts'
import { workplacePath } from './workplace-path.ts'

export interface RunOptions {
  agent?: string
  model?: string
  /** Go on with the agent's session of the last attempt, where it can. */
  resume?: boolean
  takeOver?: boolean
  /** Call the agent again and again until it promises that the work is done. */
  ralph?: boolean
  maxIterations?: number
}

export function agentFor(ws: Workspace, config: Config, task: Task, options: RunOptions): Agent {
  const usual = effective(config, task.type).agent
  const name = options.agent ?? assignedAgent(task) ?? usual
  // A registered agent without a client of its own is the usual one under a name.
  const client = clientOf(ws, name)
  return configuredAgent(config, client === undefined ? name : (client ?? usual))
}

/** Who claimed the task once is no agent that gza could start. */
function assignedAgent({ assigned_agent, runs }: Task): string | undefined {
  return runs.some((run) => run.claimed && run.agent === assigned_agent) ? undefined : assigned_agent
}

/** Plans the run and takes the task for it. Null when another worker has it, or its branch. */
export function takeRun(view: LedgerView, config: Config, task: Task, options: RunOptions): TakenRun | null {
  if (isBranchBusy(view, task)) return null
  const agent = agentFor(view.ws, config, task, options)
  const planned = planRun(view, config, task, { ...options, run: newRun(view.ws), agent })
  const mayHaveOutcome = options.resume !== false && planned.review === null
  const plan = { ...planned, phaseOutcome: mayHaveOutcome ? earlierPhaseOutcome(view.ws, task, planned) : null }
  return leaseRun(view, plan, { path: workplacePath(view.ws, plan), takeOver: options.takeOver ?? false })
}

/** Another task is worked on on the branch that this one goes on on. */
export function isBranchBusy(view: LedgerView, task: Task): boolean {
  if (OUTPUT_FOLDERS[task.type] !== undefined) return false
  const path = workplacePath(view.ws, { branch: branchOf(view, task), run: '' })
  return isPlaceHeld(liveOf(view.ws), { uid: task.uid, path }, view.ws.now())
}

export function branchBusy(view: LedgerView, task: Task): UserError {
  const message = `another task is worked on on its branch ${branchOf(view, task)}`
  return new UserError('BRANCH_BUSY', message, { hint: command`ps` })
}

export interface TakenRun {
  plan: RunPlan
  lease: Lease
  /** The run that had the task before and did not give it back: it is ended before anything is done. */
  from: Lease | null
}

export function newRun(ws: Workspace): string {
  return `${ws.now().replace(/\D/g, '').slice(0, 14)}-${ws.random(6)}`
}

/** The lease comes before anything else of a run. */
export function leaseRun(
  { ws }: LedgerView,
  plan: RunPlan,
  options: { path: string | null; takeOver: boolean },
): TakenRun | null {
  const { run, task, number, attempt, ledger } = plan
  const now = ws.now()
  const worker = { ...thisWorker(), expires_at: null }
  const place = { head: plan.from, branch: plan.branch, path: options.path, taken_at: now }
  const wanted = { uid: task.uid, ledger, run, holder: plan.agent.name, machine: ws.machine, ...worker, ...place }
  const taken = takeLease(liveOf(ws), wanted, { now, takeOver: options.takeOver })
  if (taken === null) return null
  passStep(ws.env, 'leased')
  // What a dead holder had written by then its end will show.
  if (taken.from === null && hasMoved(ws, task)) {
    releaseLease(liveOf(ws), task.uid, taken.lease.token, now)
    return null
  }
  if (taken.from !== null) updateRun(liveOf(ws), taken.from.run, { cancel: 'kill' })
  const about = { run, uid: task.uid, ledger, number, title: titleOf(task), type: task.type, attempt }
  beginRun(liveOf(ws), { ...about, agent: plan.agent.name, started_at: now })
  passStep(ws.env, 'begun')
  return { plan, ...taken }
}

export function thisWorker(): { pid: number; start_time: string | null } {
  return { pid: process.pid, start_time: processStartTime(process.pid) }
}

/** Another ran or closed it between our look and our lease: then our plan for it is stale. */
function hasMoved(ws: Workspace, planned: Task): boolean {
  const view = readLedger(ws)
  const task = taskOf(ws.state, view.row.lid, planned.uid)
  return task === null || taskLine(task) !== taskLine(planned)
}

type PlanOptions = Omit<RunOptions, 'agent'> & { run: string; agent: Agent }

/** What the run will be, before anything is taken or made. */
export function planRun(view: LedgerView, config: Config, task: Task, options: PlanOptions): RunPlan {
  const { ws } = view
  const settings = effectiveFor(config, task.type, { agent: options.agent.name, model: options.model })
  const isText = OUTPUT_FOLDERS[task.type] !== undefined
  const branch = isText ? null : branchOf(view, task)
  const name = branchName(dateOf(task), titleOf(task), () => false)
  const output = isText ? `.gza/${OUTPUT_FOLDERS[task.type]}/${name}.md` : null
  const start = startOf(view, task)
  const resume =
    options.resume && !options.ralph && options.agent.canResume ? sessionOf(lastRun(task), options.agent.name) : null
  return {
    run: options.run,
    attempt: nextAttempt(task),
    task,
    number: entry(view, task.uid)?.number ?? task.number,
    ledger: ws.ledger,
    agent: options.agent,
    settings,
    verify: config.verify,
    budgets: config.budgets,
    maxAttempts: task.max_attempts ?? settings.max_attempts,
    resume,
    branch,
    from: start.from,
    merge: start.merge,
    output,
    review: planReview(view, config, task, { branch, settings, isFresh: options.resume === false }),
    ralph: options.ralph && branch !== null ? ralphOrder(view, config, options) : null,
    phaseOutcome: null,
    prompt: buildPrompt(view, task, {
      branch,
      output,
      judged: task.type === 'review' ? { commit: start.from, base: start.base } : null,
      verifyHint:
        config.verify.command === null ? '' : `Your last commit will be checked with: ${config.verify.command}`,
    }),
  }
}

function ralphOrder(
  view: LedgerView,
  { ralph }: Config,
  { maxIterations }: Pick<RunOptions, 'maxIterations'>,
): RalphOrder {
  return { maxIterations: maxIterations ?? ralph.max_iterations, template: promptTemplate(view, 'ralph') }
}

/** The session of the last attempt with the same agent, and what it had spent by then. */
function sessionOf(last: Run | null, agent: string): RunPlan['resume'] {
  if (last === null || last.outcome === 'completed' || last.agent !== agent) return null
  if (typeof last.session !== 'string') return null
  const spent = {
    input: Number(last.tokens_in ?? 0),
    output: Number(last.tokens_out ?? 0),
    usd: Number(last.cost_usd ?? 0),
  }
  return { session: last.session, spent }
}

/** Where its work starts; of a review, the commit that it judges. */
export function startOf(view: LedgerView, task: Task): StartPoint {
  return task.type === 'review' ? judgedCommit(view, task) : startPoint(view, task)
}

/**
 * Frozen once given; `same_branch` and `improve` go on where their predecessor stopped. `planned` are the branches, by
 * uid, that tasks before it will have by then.
 */
export function branchOf(view: LedgerView, task: Task, planned: ReadonlyMap<string, string> = new Map()): string {
  if (task.branch !== undefined) return possible(view, task, task.branch)
  const before = task.based_on[0] && taskOf(view.ws.state, view.row.lid, uidOf(task.based_on[0]))
  const branchBefore = before ? (before.branch ?? planned.get(before.uid)) : undefined
  if ((task.same_branch || task.type === 'improve') && branchBefore !== undefined) return branchBefore
  const names = new Set(planned.values())
  const isTaken = (name: string) => {
    const ref = `refs/heads/${name}`
    if (names.has(name) || readRef(view.ws.repo, ref) !== null || refInTheWay(view.ws.repo, ref) !== null) return true
    return view.ws.live !== null && isBranchLeased(view.ws.live, { uid: task.uid, branch: name })
  }
  return branchName(dateOf(task), titleOf(task), isTaken)
}

/** What a task was given stays its own, so that nobody looks for its work in vain: a person must make room for it. */
function possible({ ws }: LedgerView, task: Task, branch: string): string {
  const ref = `refs/heads/${branch}`
  const other = readRef(ws.repo, ref) === null ? refInTheWay(ws.repo, ref)?.slice('refs/heads/'.length) : undefined
  if (other === undefined) return branch
  const what = `${task.id} has the branch ${branch}, which git cannot make beside ${other}`
  const way = `git branch -m ${shellWord(other)} NEW-NAME makes room for it`
  throw new UserError('BRANCH_IN_THE_WAY', `${what}; ${way}`, { hint: command`work ${task.id}` })
}

function dateOf(task: Task): string {
  return task.created_at.slice(0, 10).replaceAll('-', '')
}

function judgedCommit(view: LedgerView, task: Task): StartPoint {
  for (const ref of [...task.depends_on, ...task.based_on, ...task.after]) {
    const judged = taskOf(view.ws.state, view.row.lid, uidOf(ref))
    const tip = judged?.branch === undefined ? null : readRef(view.ws.repo, `refs/heads/${judged.branch}`)
    const commit = tip ?? judged?.closed_commit ?? null
    if (commit !== null) return { from: commit, merge: [], base: baseCommit(view) }
  }
  throw new UserError('NOTHING_TO_REVIEW', `Task ${task.id} names no task whose work could be reviewed`, {
    hint: command`add --type review --based-on ID`,
  })
}
