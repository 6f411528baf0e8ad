/** Why a task is not running: exactly one code, and one sentence. */

import type { Config } from '../../core/config/settings.ts'
import { findCycle, shortestCycles } from '../../core/graph/dependency-cycles.ts'
import { selectBatch } from '../../core/graph/select-batch.ts'
import { whyTaskSpent } from '../../core/run/budgets.ts'
import { attemptsOf, notBefore } from '../../core/run/run-rules.ts'
import { command, type Sentence, sentence, sentenceText } from '../../core/sentence.ts'
import { heldFiling } from '../../core/task/filed-in.ts'
import { openQuestion } from '../../core/task/questions.ts'
import type { Task } from '../../core/task/task.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { isOfSettings, knownRedBase, RED_IN_BOX, type RedBase } from '../../landing/base-checks.ts'
import { cycleWords, openNeeds } from '../../reports/read-deadlock.ts'
import { agentNow } from '../../runs/choose-agent.ts'
import { branchOf, startOf } from '../../runs/plan-run.ts'
import type { RunOptions } from '../../runs/run-options.ts'
import { heldLock, locksOf } from '../../runs/slots/locks.ts'
import { pausedUntil } from '../../runs/spend/agent-pauses.ts'
import { whyDaySpent } from '../../runs/spend/day-budget.ts'
import { overloadedAgents } from '../../runs/spend/overloads.ts'
import { baseCommit } from '../../runs/start-point.ts'
import { branchBusy, isBranchBusy } from '../../runs/take-run.ts'
import { deadWords, findDeadRuns, nextStep } from '../../runs/watch/dead-runs.ts'
import { commandFor } from '../../runs/watch/next-command.ts'
import { openChildren } from '../../runs/workable.ts'
import { entryWithId } from '../../state/index/find-entries.ts'
import { leaseOf } from '../../state/live/leases.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { entry, findTask, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { blockersOf, derivedStatus, failedChildren, namesBy, runningOn } from '../../workspace/views/task-status.ts'
import type { TaskName } from '../../workspace/views/views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { busyFiles, filesOf } from './busy-files.ts'
import { openDiscussions } from './discussed-work.ts'
import { calledAgent, firstCalled } from './may-call.ts'

export interface Why extends Omit<Reason, 'detail'> {
  detail: string
}

/** The same with its commands as data, for the caller to print. */
export interface Reason {
  number: number
  id: string
  code: string
  detail: Sentence
}

/** What is needed to judge a task. */
export interface Looking {
  view: LedgerView
  config: Config
  /** Files that running tasks touch. */
  busy: readonly string[]
  options: Pick<RunOptions, 'agent'>
}

export async function whyTask(ws: Workspace, ref: string): Promise<Reason> {
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const dead = findDeadRuns(ws).find(({ run }) => run.uid === task.uid)
  if (dead !== undefined) {
    return sayOf(view, task)('ORPHANED', sentence`${deadWords(ws, dead)}. ${nextStep(ws, dead)}`)
  }
  const busy = filesOf(task).length === 0 ? [] : filesInUse(ws)
  return reasonFor({ view, config, busy, options: {} }, task)
}

/** If no worker ever ran here, no file is in use, and no store is created to find that out. */
export function filesInUse(ws: Workspace, except: readonly string[] = []): string[] {
  return ws.live === null ? [] : busyFiles(ws, except)
}

export function whyNotRunning(looking: Looking, task: Task): Why {
  const reason = reasonFor(looking, task)
  return { ...reason, detail: sentenceText(reason.detail) }
}

function reasonFor(looking: Looking, task: Task): Reason {
  const { view, config } = looking
  const say = sayOf(view, task)
  const why =
    whyNotOpen(view, task) ?? whyWaiting(view, task) ?? whyUnstartable(looking, task) ?? whyNoStart(looking, task)
  if (why !== null) return why
  const moment = notBefore(task, config.retry.backoff_seconds)
  if (moment !== null && moment > Date.parse(view.ws.now()))
    return say('BACKOFF', `its last attempt failed; the next may start at ${new Date(moment).toISOString()}`)
  const agent = calledAgent(view, config, task, looking.options)
  const free = overloadedAgents(view.ws, config.retry.backoff_seconds).get(agent ?? '')
  if (free !== undefined)
    return say('BACKOFF', `${agent} is overloaded; it is called again at ${new Date(free).toISOString()}`)
  if (view.ws.live !== null && isBranchBusy(view, task)) {
    const { code, fact } = branchBusy(view, task)
    return say(code, fact)
  }
  const red = knownRed(view.ws, config)
  const { number } = rowOf(view, task)
  const anyway = sentence`${command`work ${number}`} starts it anyway`
  if (red !== null && red.inBox !== null)
    return say(
      RED_IN_BOX,
      sentence`${red.base} passes its checks outside, but fails them in a box: ${red.why}; ${anyway}. ${red.inBox.advice}`,
    )
  if (red !== null) return say('BASE_RED', sentence`${red.base} fails its own checks: ${red.why}; ${anyway}`)
  const start = view.ws.actor.mode === 'agent' ? command`claim ${number}` : command`work ${number}`
  return say('READY', sentence`it can start now: ${start}`)
}

/** The base failed these checks when it was last looked at, so tasks start only if a person names them. */
export function knownRed(ws: Workspace, config: Config): RedBase | null {
  const red = knownRedBase(ws)
  return red !== null && isOfSettings(red, config) ? red : null
}

function sayOf(view: LedgerView, task: Task): (code: string, detail: Sentence) => Reason {
  const row = rowOf(view, task)
  return (code, detail) => ({ number: row.number, id: row.id, code, detail })
}

function rowOf(view: LedgerView, task: Task) {
  const row = entry(view, task.uid)
  if (row === undefined) throw new Error(`the index has no row for ${task.id}`)
  return row
}

/** The task is closed, held by someone, or on hold. */
function whyNotOpen(view: LedgerView, task: Task): Reason | null {
  const row = rowOf(view, task)
  const say = sayOf(view, task)
  const onHold = () => say('ON_HOLD', sentence`${whyHeld(task)}; ${command`resolve ${row.number} --resume`} resumes it`)
  switch (derivedStatus(view, row)) {
    case 'completed':
      return say('COMPLETED', `it was completed at ${task.closed_at}`)
    case 'skipped':
      return say('SKIPPED', `it was skipped at ${task.closed_at}`)
    case 'failed':
      if (task.on_hold) return onHold()
      return say(
        'FAILED',
        sentence`it failed after ${plural(attemptsOf(task), 'attempt')}; ${command`retry ${row.number}`} tries again`,
      )
    case 'in_progress':
      return say('RUNNING', whoHasIt(view, task) ?? `it runs on ${runningOn(view, row)}`)
    default:
      return task.on_hold ? onHold() : whyAsking(view, task)
  }
}

function whyHeld(task: Task): string {
  const filing = heldFiling(task)
  if (filing === null) return 'its workflow was aborted'
  const limit = filing.held === 'TASKS_TOO_DEEP' ? 'max_filing_depth' : 'max_filed_tasks'
  return `run ${filing.run} filed it beyond ${limit}`
}

function whyAsking(view: LedgerView, task: Task): Reason | null {
  const question = openQuestion(task)
  if (question === null) return null
  const answer = command`answer ${rowOf(view, task).number} TEXT`
  return sayOf(view, task)('QUESTION', sentence`${question.by} asks: ${firstLine(question.text)}; ${answer}`)
}

function whoHasIt({ ws }: LedgerView, task: Task): string | null {
  const lease = ws.live === null ? null : leaseOf(ws.live, task.uid)
  return lease?.released_at === null ? `${lease.holder} has been working on it since ${lease.taken_at}` : null
}

function whyWaiting(view: LedgerView, task: Task): Reason | null {
  const row = rowOf(view, task)
  const say = sayOf(view, task)
  const [failed] = failedChildren(view, task.uid)
  if (failed)
    return say(
      'CHILD_FAILED',
      sentence`its child #${failed.number} has failed; ${command`resolve ${failed.number} --reset|--skip`}`,
    )
  if (derivedStatus(view, row) === 'blocked')
    return whyBlocked(view, blockersOf(view, row), say) ?? whyForLong(view, task, say)
  const children = openChildren(view, task.uid)
  if (children.length === 0) return null
  const stuck = whyStuck(view, task, say)
  if (stuck !== null) return stuck
  const names = children.map(({ number }) => `#${number}`).join(', ')
  return say(
    'CHILDREN_OPEN',
    sentence`${children.length === 1 ? 'its child' : 'its children'} ${names} must be completed first; ${command`work ${row.number}`}`,
  )
}

type Say = (code: string, detail: Sentence) => Reason

function whyBlocked(view: LedgerView, blockers: readonly TaskName[], say: Say): Reason | null {
  const failed = blockers.find(({ status }) => status === 'failed')
  if (failed === undefined) return null
  return say(
    'DEPENDENCY_FAILED',
    sentence`it waits for #${failed.number}, which has failed; ${againWords(view, failed)}`,
  )
}

function againWords(view: LedgerView, { id, number }: TaskName): Sentence {
  const row = entryWithId(view.ws.state, view.row.lid, id)
  return row === undefined ? command`show ${number}` : commandFor(view, row)
}

function whyForLong(view: LedgerView, task: Task, say: Say): Reason {
  const stuck = whyStuck(view, task, say)
  if (stuck !== null) return stuck
  const blockers = blockersOf(view, rowOf(view, task))
  const names = blockers.map(({ number, status }) => `#${number} (${status === 'blocked' ? 'pending' : status})`)
  return say('BLOCKED', `it waits for ${names.join(', ')}`)
}

/**
 * A task that it waits for, directly or indirectly, has failed or is in a dependency cycle, so waiting will not help.
 */
function whyStuck(view: LedgerView, task: Task, say: Say): Reason | null {
  const graph = neededBy(openNeeds(view), task.uid)
  const own = findCycle(graph, task.uid)
  const [cycle] = own === null ? shortestCycles(graph) : [own]
  if (cycle !== undefined) {
    const words = cycleWords(namesBy(view, cycle))
    return say(
      'DEADLOCK',
      own === null ? `it waits for tasks that wait for each other: ${words}` : `it waits for itself: ${words}`,
    )
  }
  const failed = namesBy(view, [...graph.keys()]).find(({ status }) => status === 'failed')
  return failed
    ? say(
        'DEPENDENCY_FAILED',
        sentence`it waits for others that wait for #${failed.number}, which has failed; ${againWords(view, failed)}`,
      )
    : null
}

function neededBy(needs: ReadonlyMap<string, readonly string[]>, uid: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const queue = [uid]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue
    const needed = needs.get(next) ?? []
    found.set(next, needed)
    queue.push(...needed)
  }
  return found
}

/** The budget is used up, its agent is not available, or other tasks use its files. */
export function whyUnstartable({ view, config, busy, options }: Looking, task: Task): Reason | null {
  const say = sayOf(view, task)
  const spent = whyTaskSpent(config.budgets, task)
  if (spent !== null)
    return say(
      'TASK_BUDGET',
      sentence`it has spent ${spent}; ${command`resolve ${rowOf(view, task).number} --reset`} starts it again`,
    )
  const day = whyDaySpent(view.ws, config.budgets)
  if (day !== null) return say('DAY_BUDGET', `the day's budget is spent (${day.spent}), until ${day.until}`)
  const discussed = openDiscussions(view, config)(task)
  if (discussed !== null) {
    const number = entry(view, discussed)?.number ?? 0
    const way = command`edit ${number} --verdict APPROVED`
    return say('NEEDS_DISCUSSION', sentence`a review of #${number} wants a discussion; ${way} ends it`)
  }
  const called = () => firstCalled(view, config, task, agentNow(view.ws, config, task, options))
  const refusal = refusalOf(called)
  if (refusal !== null) return say(refusal.code, refusal.fact)
  const caller = called()
  const until = pausedUntil(view.ws, caller)
  if (until !== null) return say('AGENT_PAUSED', `${caller.agent.name} is at its usage limit until ${until}`)
  const used = filesOf(task).find((file) => selectBatch([{ uid: '', files: [file] }], busy, 1).length === 0)
  if (used !== undefined) return say('FILES_BUSY', `a running task touches ${used}`)
  return whyLocked(view, config, task)
}

/** Another task or a check uses what only one at a time may use. */
export function whyLocked(view: LedgerView, config: Config, task: Task): Reason | null {
  const held = heldLock(view.ws, locksOf(config, task), task.uid)
  if (held === null) return null
  const other = entry(view, held.holder)
  const who = other === undefined ? 'a check or a task of another ledger' : `#${other.number}`
  return sayOf(view, task)('LOCK_BUSY', `${who} has the lock ${held.name}`)
}

/** There is no commit that its work could start from, or that it could review. */
export function whyNoStart({ view }: Looking, task: Task): Reason | null {
  const refusal = refusalOf(() => {
    if (task.type === 'review') return startOf(view, task)
    // Git may no longer be able to create the branch that it was given.
    if (task.branch !== undefined) branchOf(view, task)
    return baseCommit(view)
  })
  return refusal && sayOf(view, task)(refusal.code, refusal.fact)
}

function refusalOf(attempt: () => unknown): UserError | null {
  try {
    attempt()
    return null
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}
