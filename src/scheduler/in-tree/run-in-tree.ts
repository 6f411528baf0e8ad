/** One call of an agent in the person's own working tree, and the checks after it. */

import type { Config } from '../../core/config/settings.ts'
import { clip } from '../../core/documents/prompt-text.ts'
import { isBox } from '../../core/isolation/levels.ts'
import { addNote, reopenTask } from '../../core/task/operations.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { withOutside } from '../../engine/check/with-outside.ts'
import { withWeakened } from '../../engine/check/with-weakened.ts'
import { keptInTree, reportNested, watchNested } from '../../engine/guard/nested-changes.ts'
import { checksHaveNetwork } from '../../engine/isolation/agent-box/command-box.ts'
import { setOwnChangesAside } from '../../engine/isolation/agent-box/own-changes.ts'
import type { RunIsolation } from '../../engine/isolation/agent-box/run-level.ts'
import { openRunWindow } from '../../engine/isolation/agent-box/run-window.ts'
import { forgetUnfinished, removePrivateGitOf } from '../../engine/isolation/private-git/remove.ts'
import { callAgent } from '../../engine/phase/call-agent.ts'
import type { PhaseReport } from '../../engine/phase/phase-report.ts'
import type { LedgerWatchdog, RunContext } from '../../engine/phase/run-context.ts'
import type { RunPlan, RunResult } from '../../engine/phase/run-plan.ts'
import { failedCall, unverified, usageOf } from '../../engine/phase/run-result.ts'
import { setChangesAside } from '../../engine/worktree/set-aside.ts'
import { identityOf } from '../../platform/git/git-identity.ts'
import { placeAt } from '../../platform/git/own-git.ts'
import { readHead } from '../../platform/git/refs.ts'
import { endSoonAfter } from '../../platform/processes/run-briefly.ts'
import type { ChosenAgent } from '../../runs/choose-agent.ts'
import { abandonRun, concludeRun } from '../../runs/conclude-run.ts'
import { newRun } from '../../runs/new-run.ts'
import { openTaskRun } from '../../runs/open-task-run.ts'
import { branchFor, planRun } from '../../runs/plan-run.ts'
import { inTreePrompt } from '../../runs/prompt/in-tree-prompt.ts'
import { recordStart } from '../../runs/record-run.ts'
import { locksOf, whileLocked } from '../../runs/slots/locks.ts'
import { leaseRun, type TakenRun } from '../../runs/take-run.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { liveRun } from '../../state/live/live-runs.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { WorkWatcher } from '../work-report.ts'
import { isBrokenDown, type ReportFailure, whyDirty, whyNotDone, whyNotPassed } from './check-report.ts'
import { isolationInTree } from './tree-isolation.ts'

export interface Attempt {
  /** Null: the task is done, as the agent reported. */
  failure: ReportFailure | null
  isBrokenDown: boolean
  /** Repositories that appeared inside the tree. They are in the inbox. */
  nested: string[]
}

interface Tree {
  ws: Workspace
  config: Config
  watcher: WorkWatcher
  watchdog: LedgerWatchdog
  branch: string | null
  /** What this machine can hold agents in. */
  isolation: RunIsolation
}

/** Null when another worker has the task. */
export function runInTree(tree: Tree, task: Task, chosen: ChosenAgent): Promise<Attempt | null> {
  const { ws, config, watcher } = tree
  const locks = { names: locksOf(config, task), holder: task.uid, cancel: watcher.cancel }
  return whileLocked(ws, locks, () => runWithLocks(tree, task, chosen))
}

async function runWithLocks(tree: Tree, task: Task, chosen: ChosenAgent): Promise<Attempt | null> {
  const { ws, watcher } = tree
  const head = readHead(ws.repo).oid ?? ws.repo.zeroOid
  const plan = planInTree(readLedger(ws), tree, task, { ...chosen, head })
  const taken = leaseRun(ws, plan, { takeOver: false })
  if (taken === null) return null
  watcher.events.started(plan)
  const kill = watchForKill(ws, plan.subject.run, watcher.cancel)
  const ending = endSoonAfter(kill.cancel, plan.subject.run)
  return runTaken({ ...tree, watcher: { ...watcher, cancel: kill.cancel } }, taken, head).finally(() => {
    kill.close()
    ending.forget()
  })
}

async function runTaken(tree: Tree, taken: TakenRun, head: string): Promise<Attempt> {
  const { ws, watcher } = tree
  const { plan } = taken
  const { task } = plan.subject
  const cwd = ws.repo.workTree ?? ws.repo.dir
  const context = await startOrRelease(tree, taken)
  // Otherwise this is the next attempt at the task whose agent left it.
  if ((await whyDirty(ws, tree.isolation)) === null) forgetUnfinished(ws.repo, cwd)
  const { report, incidents, nested } = await callAgent(plan, context, { phase: 'run', cwd, access: 'work' })
  const { failure, found } = await judgeReport(tree, plan, context, report)
  await removePrivateGitOf(ws.repo, cwd)
  if (failure?.reason === 'question') await keepAside(tree, plan, context)
  const { end: told, ...rest } = resultOf(ws, plan, report, failure)
  const work = { task, base: head, end: told, verify: plan.verify }
  const end = await withWeakened(ws.repo, { ...work, end: await withOutside(ws.repo, work) })
  const isTakenBack = failure !== null && takeBackDone(ws, task, failure.detail)
  const result = {
    ...rest,
    ...{ end: { ...end, ...(isTakenBack && ({ taken_back: true } as const)) }, incidents, session: report.session },
  }
  const concluded = await concludeRun(ws, taken, result)
  watcher.events.ended(plan, result, concluded.task)
  return { failure, isBrokenDown: failure === null && isBrokenDown(ws, task), nested: [...nested, ...found] }
}

/** `gza kill` leaves its request in the record of the run. */
function watchForKill({ live }: Workspace, run: string, cancel: AbortSignal): { cancel: AbortSignal; close(): void } {
  const kill = new AbortController()
  const look = setInterval(() => {
    if (live !== null && typeof liveRun(live, run)?.cancel === 'string') kill.abort()
  }, POLL_MS)
  return { cancel: AbortSignal.any([cancel, kill.signal]), close: () => clearInterval(look) }
}

const POLL_MS = 500

/**
 * A task that cannot start, because another clone has it or a person closed it, is not kept from others. Its start is
 * recorded only if its log can be written.
 */
async function startOrRelease(tree: Tree, taken: TakenRun): Promise<RunContext> {
  try {
    const { isolation, why } = isolationInTree(tree.ws.repo, tree.isolation)
    if (why !== null) tree.watcher.events.reported(`Its agent has no box in this tree: ${why}`)
    const context = openContext({ ...tree, isolation }, taken.plan)
    await recordStart(tree.ws, taken, isolation)
    return context
  } catch (error) {
    abandonRun(tree.ws, taken, error)
    throw error
  }
}

/** The run has no branch of its own, and a failure does not close the task. */
function planInTree(
  view: LedgerView,
  { config }: Tree,
  task: Task,
  { agent, model, head }: ChosenAgent & { head: string },
): RunPlan {
  const place = { run: newRun(view.ws), branch: branchFor(view, task), path: null }
  const plan = planRun(view, config, task, { ...place, agent, ...(model !== undefined && { model }) })
  const prompt = inTreePrompt(task)
  return {
    ...plan,
    place: { branch: null, path: null, from: head, merge: [], output: null },
    order: { ...plan.order, prompt },
    limits: { ...plan.limits, maxAttempts: Number.POSITIVE_INFINITY },
  }
}

/** Only one agent runs at a time, so nothing has to yield and no account has to be probed. */
function openContext({ ws, config, watcher, watchdog, isolation }: Tree, plan: RunPlan): RunContext {
  const { stop, cancel, events, called } = watcher
  return openTaskRun(ws, config, plan, {
    slot: {
      ...{ stop, cancel, yieldWhile: (wait) => wait(), startNextEarly: () => null },
      whileLocked: (names, work) => whileLocked(ws, { names, holder: plan.subject.task.uid, cancel }, work),
    },
    observer: {
      prepared() {},
      printed() {},
      answered() {},
      reviewMoved() {},
      called: (agent, report) => called?.(agent.name, report),
      progressed: (progress) => events.progress(plan, progress),
    },
    others: { watchdog, ownMoves: new Map(), began: performance.now() },
    isolation,
  }).context
}

async function judgeReport(
  { ws, branch, watcher, isolation }: Tree,
  plan: RunPlan,
  context: RunContext,
  report: PhaseReport,
): Promise<Judged> {
  if (report.failure !== null) return { failure: report.failure, found: [] }
  const { task } = plan.subject
  const isBoxed = isBox(context.host.isolation.level)
  const failure = await whyNotDone(ws, task, { branch, head: plan.place.from, isBoxed, isolation })
  // A task with parts is checked when its parts are.
  if (failure !== null || isBrokenDown(ws, task)) return { failure, found: [] }
  context.recorder.progress({ phase: 'verify' })
  return checkInTree({ ws, watcher }, plan, context)
}

/** A check runs what the agent has written, so it is watched as the agent was. */
async function checkInTree(
  { ws, watcher }: Pick<Tree, 'ws' | 'watcher'>,
  plan: RunPlan,
  context: RunContext,
): Promise<Judged> {
  const cwd = ws.repo.workTree ?? ws.repo.dir
  const { recorder, host, slot } = context
  const nested = watchNested(cwd)
  const network = checksHaveNetwork(plan.verify, host.isolation)
  const { env, enclose, close } = openRunWindow(plan, context, { cwd, network, kept: keptInTree(nested) })
  const place = { env, cancel: watcher.cancel, ...(enclose && { enclose }) }
  const failure = await slot
    .whileLocked(plan.verify.locks, () => whyNotPassed(ws, plan, place))
    .finally(() => {
      for (const line of close()) recorder.remark('verify', line)
    })
  const { run, ledger } = plan.subject
  const found = reportNested(nested, { live: host.live, ledger, run, at: host.now() })
  for (const line of found) recorder.remark('verify', line)
  return { failure, found }
}

interface Judged {
  failure: ReportFailure | null
  /** Repositories that appeared inside the tree during the check. */
  found: string[]
}

function resultOf(ws: Workspace, plan: RunPlan, report: PhaseReport, failure: ReportFailure | null): RunResult {
  const head = readHead(ws.repo).oid
  const at = head === null ? {} : { head }
  if (failure !== null) return { ...failedCall(ws.now(), report, failure, at), session: null }
  const about = { ...usageOf(report), ...at, ...unverified(plan) }
  const end = { ended_at: ws.now(), outcome: 'completed', ...about } as const
  return { end, commits: [], text: null, session: null, resetsAt: null, incidents: [] }
}

/** What the agent has not committed is kept under a ref, so that the next task starts in a clean tree. */
async function keepAside({ ws, watcher }: Tree, plan: RunPlan, { host: { isolation } }: RunContext): Promise<void> {
  const { repo } = ws
  const { run, task } = plan.subject
  const to = { ref: `refs/gza/kept/${run}/uncommitted`, message: `WIP: ${titleOf(task)} (question)` }
  const identity = identityOf(repo)
  if (!isBox(isolation.level)) return setChangesAside(placeAt(repo, repo.workTree ?? repo.dir, identity), to)
  const why = await setOwnChangesAside(repo, isolation, { ...to, identity })
  if (why !== null) watcher.events.reported(`What the agent left uncommitted is still in the tree: ${why}`)
}

/** The record of the run has the full text. */
const LONGEST_NOTE = 2000

/** Opens a task again that was wrongly marked done, in the name of the person who started the command. */
function takeBackDone(ws: Workspace, task: Task, why: string): boolean {
  return changeLedger(ws, (view) => {
    const now = taskOf(ws.state, view.row.lid, task.uid)
    if (now?.status !== 'completed') return { tasks: [], subject: '', result: false }
    const note = `not done: ${clip(why, LONGEST_NOTE)}`
    const noted = addNote(reopenTask(now), note, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    return { tasks: [noted], subject: `reopen ${task.id}: ${firstLine(why)}`, result: true }
  })
}
