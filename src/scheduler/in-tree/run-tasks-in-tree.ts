/**
 * `git tasks run`: one agent after the other in the current tree, on the current branch. The agent commits and
 * marks its task done; gza checks that. Nothing is pushed.
 */

import { customAgent } from '../../agents/clients/custom.ts'
import { effectiveFor } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import { machineFault } from '../../core/machine-error.ts'
import { whyTaskSpent } from '../../core/run/budgets.ts'
import { FAILURES_IN_TREE, isAgentDown } from '../../core/run/run-rules.ts'
import { command, commandLine, sentenceText } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { isolateRuns } from '../../engine/isolation/agent-box/box-programs.ts'
import type { RunIsolation } from '../../engine/isolation/agent-box/run-level.ts'
import type { LedgerWatchdog } from '../../engine/phase/run-context.ts'
import { readHead } from '../../platform/git/refs.ts'
import { endSoonAfter } from '../../platform/processes/run-briefly.ts'
import { agentNow, type ChosenAgent } from '../../runs/choose-agent.ts'
import { isBlindRepeat, lookAtRemote } from '../../runs/look-at-remote.ts'
import { recoverRuns } from '../../runs/recover-runs.ts'
import { pausedUntil } from '../../runs/spend/agent-pauses.ts'
import { type DaySpent, whyDaySpent } from '../../runs/spend/day-budget.ts'
import { overloadedAgents } from '../../runs/spend/overloads.ts'
import { type Workable, workableTasks } from '../../runs/workable.ts'
import { entryWithId } from '../../state/index/find-entries.ts'
import { hasOpenTasks, openEntries } from '../../state/index/list-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { noteTask } from '../../tasks/note-task.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import { numberOf } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { assertLegal } from '../../workspace/legal/legal-ledger.ts'
import { readLinkedLedger } from '../../workspace/links/read-linked-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { filesInUse, whyNotRunning } from '../choose/why-not-running.ts'
import { collectEnd, type EndedTask } from '../end/collect-end.ts'
import { readEnd, type WorkEnd } from '../end/read-end.ts'
import { openGitMaintenance } from '../git-maintenance.ts'
import { watchLedger } from '../ledger-watchdog.ts'
import { forgetFault, recordFault } from '../machine-fault.ts'
import { withNotices } from '../notify/notifier.ts'
import type { WorkWatcher } from '../work-report.ts'
import { whyDirty, whyElsewhere } from './check-report.ts'
import { type Attempt, runInTree } from './run-in-tree.ts'
import { refuseWithoutBox } from './tree-isolation.ts'
import { releaseTree, takeTree } from './tree-lease.ts'

export interface InTreeOptions {
  agent?: string
  /** A command of the user's own instead of a known client. */
  runner?: string
  model?: string
  once?: boolean
  dryRun?: boolean
  delaySeconds?: number
  maxTasks?: number
}

export interface InTreeReport {
  done: string[]
  skipped: string[]
  /** Those whose agent has asked a person. */
  asked: string[]
  /** Those that were tried and are neither done nor skipped. */
  failed: string[]
  /** With a dry run: what would be worked on, in this order. */
  planned: { number: number; id: string; title: string; agent: string }[]
  isAllDone: boolean
  paused: { agent: string; until: string } | null
  /** Set if the day's budget is used up. */
  day: DaySpent | null
  /** Repositories that appeared inside the tree, as sentences. They are in the inbox. */
  nested: string[]
  /** Why it could not continue although tasks were left. */
  stopped: string | null
  /** A fault of the machine that stopped it. */
  fault: UserError | null
}

type TaskList = 'done' | 'skipped' | 'asked' | 'failed'

export interface EndedInTree extends Omit<InTreeReport, TaskList>, Record<TaskList, EndedTask[]> {
  /** Null after a dry run. */
  end: WorkEnd | null
}

const DELAY_SECONDS = 2

interface InTreeSession {
  ws: Workspace
  config: Config
  options: InTreeOptions
  watcher: WorkWatcher
  watchdog: LedgerWatchdog
  /** The branch on which all agents work. */
  branch: string | null
  isolation: RunIsolation
  attempts: Attempts
  report: InTreeReport
}

interface Attempts {
  /** Failures in a row, by id; only those that were the fault of the task. */
  failures: Map<string, number>
  /** Uids of the tasks that an agent was called for. */
  tried: Set<string>
  /** Uids that are left alone: others have them, or their agent failed too often. */
  left: Set<string>
  /** The task whose last attempt failed: what is uncommitted is its own. */
  unfinished: string | null
}

export async function runTasksInTree(
  ws: Workspace,
  options: InTreeOptions,
  watcher: WorkWatcher,
): Promise<EndedInTree> {
  assertAllowed('run', ws.actor)
  const config = await loadConfiguration(ws)
  await assertTrusted(ws, config)
  if (options.dryRun) return { ...withNumbers(ws, planRuns(ws, config, options)), end: null }
  assertLegal(ws)
  const tree = takeTree(ws)
  const ending = endSoonAfter(watcher.cancel)
  const { watcher: collecting, collected } = collectEnd(watcher)
  try {
    const report = await withNotices(ws, config.notify, collecting, {
      perform: async (noticing) => runAll(await openInTreeSession(ws, config, options, noticing)),
      summarise: ({ done, failed, skipped, fault }) =>
        [
          `${done.length} done`,
          ...(failed.length + skipped.length > 0 ? [`${failed.length + skipped.length} failed`] : []),
          ...(fault === null ? [] : [`stopped: ${fault.message}`]),
        ].join(', '),
    })
    const isFaulty = report.fault !== null
    const finish = { again: command`run`, finished: command`pr`, isFaulty }
    return { ...withNumbers(ws, report), end: await readEnd(ws, collected, finish) }
  } finally {
    ending.forget()
    releaseTree(ws, tree)
  }
}

function withNumbers(ws: Workspace, report: InTreeReport): Omit<EndedInTree, 'end'> {
  const { row } = readLedger(ws)
  const named = (ids: readonly string[]) =>
    ids.map((id) => ({ number: entryWithId(ws.state, row.lid, id)?.number ?? 0, id }))
  const { done, skipped, asked, failed } = report
  return { ...report, done: named(done), skipped: named(skipped), asked: named(asked), failed: named(failed) }
}

async function runAll(session: InTreeSession): Promise<InTreeReport> {
  const { ws, options, watcher, attempts, report } = session
  const maintenance = openGitMaintenance(ws.repo)
  for (let runs = 0; !(options.once && runs > 0) && !watcher.stop.aborted; ) {
    const task = nextTask(session)
    if (task === undefined) {
      reportIfStuck(session)
      break
    }
    if (isOneTooMany(session, task) || reportIfPaused(session, task) || reportIfDaySpent(session)) break
    if (await hasLookedFirst(session, task)) continue
    if (runs > 0) await pause(pauseBefore(session, task), watcher.stop)
    if (watcher.stop.aborted || (await stopIfTreeForeign(session, task))) break
    const attempt = await tryInTree(session, task)
    if (report.fault !== null) return report
    if (attempt !== null) runs += 1
    if (attempt !== null) attempts.tried.add(task.uid)
    report.nested.push(...(attempt?.nested ?? []))
    maintenance.maybeStart()
    if (!countAttempt(session, task, attempt)) break
  }
  if (!watcher.cancel.aborted) await maintenance.close()
  const failed = [...attempts.failures.keys()].filter((id) => !report.skipped.includes(id))
  return { ...report, failed, isAllDone: isNothingLeft(ws) }
}

/** A task counts once, however often it is tried. */
function isOneTooMany({ options, attempts }: InTreeSession, task: Task): boolean {
  return attempts.tried.size >= (options.maxTasks ?? Number.POSITIVE_INFINITY) && !attempts.tried.has(task.uid)
}

/** Open tasks are left, and none of them can start. What this session has tried and left alone is reported anyway. */
function reportIfStuck({ ws, config, attempts, report }: InTreeSession): void {
  if (attempts.failures.size > 0) return
  const view = readLinkedLedger(ws)
  const open = openEntries(ws.state, view.row.lid)
  const first = open[0] && taskOf(ws.state, view.row.lid, open[0].uid)
  if (!first) return
  const { id, detail } = whyNotRunning({ view, config, busy: filesInUse(ws), options: {} }, first)
  const which = open.length === 1 ? 'The open task' : `None of the ${open.length} open tasks`
  report.stopped = `${which} ${open.length === 1 ? 'cannot' : 'can'} start. ${id}: ${detail}. ${commandLine`graph`} shows all.`
}

/** Others may have done what would be repeated. True if the next task must be chosen again. */
async function hasLookedFirst({ ws, watcher }: InTreeSession, task: Task): Promise<boolean> {
  if (!isBlindRepeat(ws, task)) return false
  const unseen = await lookAtRemote(ws)
  if (unseen !== null) watcher.events.reported(sentenceText(unseen))
  return true
}

/** An overloaded agent is overloaded for every task, so it is left alone, longer each time. */
function pauseBefore({ ws, options, config, watcher }: InTreeSession, task: Task): number {
  const delay = options.delaySeconds ?? DELAY_SECONDS
  const { agent } = chooseAgent(ws, config, task, options)
  const moment = overloadedAgents(ws, config.retry.backoff_seconds).get(agent.name)
  const busy = moment === undefined ? 0 : Math.ceil((moment - ws.clock()) / 1000)
  if (busy > delay)
    watcher.events.reported(`${task.id} is tried again in ${plural(busy, 'second')}: its agent is overloaded`)
  return Math.max(delay, busy)
}

/** Null: it cannot run now, and the others continue. */
async function tryInTree(session: InTreeSession, task: Task): Promise<Attempt | null> {
  try {
    return await runInTree(session, task, chooseAgent(session.ws, session.config, task, session.options))
  } catch (error) {
    const fault = machineFault(error, { hasAgentWorked: false })
    if (fault !== null) {
      recordFault(session.ws, fault)
      session.report.fault = fault
      return null
    }
    if (!(error instanceof UserError)) throw error
    session.watcher.events.reported(`${task.id} cannot run: ${error.message}`)
    session.attempts.failures.set(task.id, 0)
    return null
  }
}

async function openInTreeSession(
  ws: Workspace,
  config: Config,
  options: InTreeOptions,
  watcher: WorkWatcher,
): Promise<InTreeSession> {
  const isolation = await isolateRuns(ws.repo, config.isolation, ws.repo.workTree)
  refuseWithoutBox(ws.repo, isolation, config.isolation.level === 'required')
  // First, because commits of an agent whose gza was killed show as changes until they are imported.
  for (const sentence of await recoverRuns(ws)) watcher.events.reported(sentence)
  const why = await whyDirty(ws, isolation)
  if (why !== null) {
    throw new UserError('DIRTY_TREE', why, {
      hint: 'Commit or stash it first, so that an agent’s work is not mixed with yours.',
    })
  }
  forgetFault(ws)
  return {
    ...{ ws, config, options, watcher, isolation },
    watchdog: watchLedger(ws, watcher.events.reported),
    branch: currentBranch(ws),
    attempts: { failures: new Map(), tried: new Set(), left: new Set(), unfinished: null },
    report: emptyReport(),
  }
}

function emptyReport(): InTreeReport {
  const lists = { done: [], skipped: [], asked: [], failed: [], planned: [], nested: [] }
  return { ...lists, isAllDone: false, paused: null, day: null, stopped: null, fault: null }
}

function planRuns(ws: Workspace, config: Config, options: InTreeOptions): InTreeReport {
  const ready = affordableTasks(ws, config).take(options.once ? 1 : (options.maxTasks ?? Number.POSITIVE_INFINITY))
  const view = readLedger(ws)
  const planned = ready.map(({ task }) => ({
    number: numberOf(view, task),
    id: task.id,
    title: titleOf(task),
    agent: chooseAgent(ws, config, task, options).agent.label,
  }))
  return { ...emptyReport(), planned: [...planned] }
}

function nextTask({ ws, config, attempts }: InTreeSession): Task | undefined {
  return affordableTasks(ws, config).find(({ task }) => !attempts.left.has(task.uid))?.task
}

function affordableTasks(ws: Workspace, config: Config): IteratorObject<Workable, undefined> {
  return workableTasks(readLedger(ws), config).filter(({ task }) => whyTaskSpent(config.budgets, task) === null)
}

function chooseAgent(ws: Workspace, config: Config, task: Task, { runner, agent, model }: InTreeOptions): ChosenAgent {
  const given = model === undefined ? {} : { model }
  if (runner !== undefined) return { agent: customAgent({ command: runner }), ...given, insteadOf: null }
  return agentNow(ws, config, task, { ...given, ...(agent !== undefined && { agent }) })
}

function reportIfPaused({ ws, config, options, report }: InTreeSession, task: Task): boolean {
  const { agent, model: given } = chooseAgent(ws, config, task, options)
  const { model } = effectiveFor(config, task.type, { agent: agent.name, model: given })
  const until = pausedUntil(ws, { agent, model })
  report.paused = until === null ? null : { agent: agent.name, until }
  return until !== null
}

function reportIfDaySpent({ ws, config, report }: InTreeSession): boolean {
  report.day = whyDaySpent(ws, config.budgets)
  return report.day !== null
}

/** True if the tree has changes of another task or a person: the next task's work could not be separated from them. */
async function stopIfTreeForeign(session: InTreeSession, task: Task): Promise<boolean> {
  const { ws, branch, isolation, attempts, report } = session
  const isOwn = attempts.unfinished === task.uid
  report.stopped = whyElsewhere(ws, branch) ?? (isOwn ? null : await whyDirty(ws, isolation))
  return report.stopped !== null
}

/** Counts the attempt. False if another attempt is pointless. */
function countAttempt(session: InTreeSession, task: Task, attempt: Attempt | null): boolean {
  const { report, attempts } = session
  const { failures } = attempts
  attempts.unfinished = null
  if (attempt === null) {
    attempts.left.add(task.uid)
    return true
  }
  if (attempt.failure === null) {
    failures.delete(task.id)
    if (!attempt.isBrokenDown) report.done.push(task.id)
    return true
  }
  const { reason, detail } = attempt.failure
  if (reason === 'interrupted') {
    failures.set(task.id, 0)
    return false
  }
  if (reason === 'question') {
    report.asked.push(task.id)
    return true
  }
  if (reason === 'task-budget')
    session.watcher.events.reported(`${task.id} has spent its budget: ${commandLine`inbox`}`)
  if (NOT_ITS_FAULT.has(reason)) return true
  if (isAgentDown(reason)) {
    report.stopped = `${chooseAgent(session.ws, session.config, task, session.options).agent.name}: ${detail}`
    return false
  }
  attempts.unfinished = task.uid
  countFailure(session, task, reason === 'overloaded' ? 0 : 1)
  return true
}

/** Whether to continue after these is decided before the next task. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['usage-limit', 'task-budget', 'day-budget'])

/** After three consecutive failures the task gets a note and is left alone for this run. */
function countFailure({ ws, attempts, report }: InTreeSession, task: Task, more: 0 | 1): void {
  const { failures, left } = attempts
  const count = (failures.get(task.id) ?? 0) + more
  failures.set(task.id, count)
  if (count < FAILURES_IN_TREE) return
  noteTask(ws, task.id, `skipped: agent failed ${plural(count, 'time')}`)
  report.skipped.push(task.id)
  left.add(task.uid)
}

function currentBranch(ws: Workspace): string | null {
  const head = readHead(ws.repo)
  return head.kind === 'branch' ? head.branch : null
}

function isNothingLeft(ws: Workspace): boolean {
  const { row } = readLinkedLedger(ws)
  return !hasOpenTasks(ws.state, row.lid)
}

async function pause(seconds: number, stop: AbortSignal): Promise<void> {
  const until = performance.now() + seconds * 1000
  while (performance.now() < until && !stop.aborted) await Bun.sleep(Math.min(100, until - performance.now()))
}
