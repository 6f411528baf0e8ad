/** What needs a person, each with a reason code and the commands that resolve it. */

import { whyTaskSpent } from '../core/run/budgets.ts'
import { isAgentDown, isGivenUp, lastFailure, lastRun } from '../core/run/run-rules.ts'
import { commandLine, sentenceText } from '../core/sentence.ts'
import { openLateDones } from '../core/task/late-done.ts'
import { openQuestion } from '../core/task/questions.ts'
import type { Run, Task } from '../core/task/task.ts'
import { firstAndLast, firstLine } from '../core/text/first-line.ts'
import { UserError } from '../core/user-error.ts'
import { listPauses } from '../runs/spend/agent-pauses.ts'
import { pausedName } from '../runs/spend/paused-agents.ts'
import { deadWords, findDeadRuns, killCommand } from '../runs/watch/dead-runs.ts'
import {
  askingEntries,
  entriesTakenFromClaims,
  failedEntries,
  pendingEntriesWithRuns,
} from '../state/index/list-entries.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { describeLeft, leftTasks } from '../tasks/move/report-left-tasks.ts'
import { moveCommand } from '../workspace/branches/left-tasks.ts'
import { knownBudgets } from '../workspace/config/known-budgets.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { lossWords, lostTips } from '../workspace/lost/lost-tips.ts'
import { nameOf } from '../workspace/views/task-status.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { agentItems } from './agent-items.ts'
import { cycleItems } from './cycle-items.ts'
import { heldFilings } from './held-filings.ts'
import type { InboxItem } from './inbox-item.ts'
import { interruptedLandings } from './interrupted-landings.ts'
import { matterItems } from './matter-items.ts'
import { readDeadlock } from './read-deadlock.ts'
import { unlandedTasks } from './unlanded-tasks.ts'
import { verdictItems } from './verdict-items.ts'

export async function readInbox(ws: Workspace): Promise<InboxItem[]> {
  const view = readLedger(ws)
  const held = heldFilings(view)
  // Where only such tasks are left, they are not reported a second time.
  const blocked = blockedByPerson(view).filter(({ task }) => task === null || !held.ids.has(task.id))
  const verdicts = verdictItems(view)
  const items = [
    ...[...lostItems(view), ...deadRuns(view), ...interruptedLandings(view), ...questions(view)],
    ...[...failures(view), ...lateDones(view), ...agentsDown(view), ...givenUp(view), ...(await spentTasks(view))],
    ...[...matterItems(view), ...cycleItems(view), ...held.items, ...blocked, ...verdicts.items],
  ]
  const known = new Set(items.map(({ task }) => task?.id))
  const isKnown = ({ task, code }: InboxItem) =>
    known.has(task?.id) || (code === 'NOT_APPROVED' && verdicts.judged.has(task?.id ?? ''))
  const unlanded = (await unlandedTasks(view)).filter((item) => !isKnown(item))
  return [...items, ...agentItems(view, known), ...unlanded, ...leftItems(ws), ...pausedAgents(ws)]
}

/** Open tasks on branches where nobody looks. */
function leftItems(ws: Workspace): InboxItem[] {
  return leftTasks(ws).map((left) => ({
    task: null,
    subject: left.ledger,
    code: `BRANCH_${left.why.toUpperCase()}`,
    detail: describeLeft(left),
    commands: [sentenceText(moveCommand(left))],
  }))
}

/** They continue by themselves, but a person may know that the limit is over, or that another account is used now. */
function pausedAgents(ws: Workspace): InboxItem[] {
  try {
    return listPauses(ws).map((pause) => ({
      task: null,
      subject: pausedName(pause),
      code: 'AGENT_PAUSED',
      detail: `at its usage limit until ${pause.until}`,
      commands: [commandLine`agents resume ${pause.agent}`],
    }))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // The other items must be shown even if this store is damaged.
    const commands = [commandLine`doctor`]
    return [{ task: null, subject: 'account.db', code: error.code, detail: error.message, commands }]
  }
}

/** Their supervisor is dead, so nobody watches them or records how they end. */
function deadRuns(view: LedgerView): InboxItem[] {
  const { ws } = view
  return findDeadRuns(ws).map((dead) => {
    const row = dead.run.ledger === view.row.ledger ? entry(view, dead.run.uid) : undefined
    const item = { code: 'ORPHANED', detail: deadWords(ws, dead) }
    const kill = sentenceText(killCommand(ws, dead))
    if (row === undefined) return { ...item, task: null, subject: dead.run.title, commands: [kill] }
    return { ...item, task: nameOf(view, row), commands: [kill, commandLine`logs ${row.number}`] }
  })
}

/** What something other than gza removed from a ledger, until it is joined back. */
function lostItems({ ws }: LedgerView): InboxItem[] {
  const commands = [commandLine`restore --lost`]
  return lostTips(ws.repo).map((loss) => ({
    ...{ task: null, subject: loss.ledger, code: 'LOST_CHANGES', detail: lossWords(loss), commands },
  }))
}

function failures(view: LedgerView): InboxItem[] {
  return failedEntries(view.ws.state, view.row.lid).map((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const failure = task && lastFailure(task)
    return {
      task: nameOf(view, row),
      code: codeOf(failure?.reason ?? 'failed'),
      detail: briefDetail(failure),
      commands: [
        row.on_hold ? commandLine`resolve ${row.number} --resume` : commandLine`retry ${row.number}`,
        commandLine`resolve ${row.number} --fixed|--skip|--reset|--abort`,
        commandLine`logs ${row.number}`,
      ],
    }
  })
}

/** Of a crash, the last lines that the agent printed are shown too: its exit code explains nothing. */
function briefDetail(failure: Run | null): string {
  const lines = firstAndLast(String(failure?.detail ?? ''), failure?.reason === 'agent-error' ? 5 : 0)
  return lines.join('\n')
}

/** Open tasks whose agent could not be started or logged in. They have not failed, but need a person to continue. */
function agentsDown(view: LedgerView): InboxItem[] {
  return pendingEntriesWithRuns(view.ws.state, view.row.lid).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const last = task && lastRun(task)
    if (!last || !isAgentDown(String(last.reason))) return []
    const commands = [commandLine`work ${row.number}`, commandLine`logs ${row.number}`]
    const why = firstLine(String(last.detail ?? ''))
    const agent = `${last.caller ?? last.agent}: `
    const detail = why.startsWith(agent) ? why : `${agent}${why}`
    return [{ task: nameOf(view, row), code: codeOf(last.reason), detail, commands }]
  })
}

/** The whole question: a person may answer without looking further. */
function questions(view: LedgerView): InboxItem[] {
  return askingEntries(view.ws.state, view.row.lid).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const question = task && openQuestion(task)
    if (!question) return []
    const commands = [commandLine`answer ${row.number} TEXT`, commandLine`logs ${row.number}`]
    return [{ task: nameOf(view, row), code: 'QUESTION', detail: `${question.by} asks: ${question.text}`, commands }]
  })
}

/** Open tasks that `git tasks run` left alone because their agents had failed too often. */
function givenUp(view: LedgerView): InboxItem[] {
  return pendingEntriesWithRuns(view.ws.state, view.row.lid).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const failure = task && isGivenUp(task) ? lastRun(task) : null
    if (!failure) return []
    const commands = [
      commandLine`resolve ${row.number} --fixed|--skip|--reset|--abort`,
      commandLine`logs ${row.number}`,
    ]
    return [
      {
        task: nameOf(view, row),
        code: codeOf(failure.reason),
        detail: briefDetail(failure),
        commands,
      },
    ]
  })
}

/** Open tasks that have used up their budget: a person must raise it or reset the task. */
async function spentTasks(view: LedgerView): Promise<InboxItem[]> {
  const rows = pendingEntriesWithRuns(view.ws.state, view.row.lid)
  if (rows.length === 0) return []
  const budgets = await knownBudgets(view.ws)
  return rows.flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const spent = task && whyTaskSpent(budgets, task)
    if (!spent) return []
    const commands = [
      commandLine`resolve ${row.number} --fixed|--skip|--reset|--abort`,
      commandLine`logs ${row.number}`,
    ]
    return [{ task: nameOf(view, row), code: 'TASK_BUDGET', detail: `it has spent ${spent}`, commands }]
  })
}

/** Work that was reported as done after its claim had expired and another had taken the task. */
function lateDones(view: LedgerView): InboxItem[] {
  return entriesTakenFromClaims(view.ws.state, view.row.lid).flatMap((row) => {
    const task = taskOf(view.ws.state, view.row.lid, row.uid)
    const item = { task: nameOf(view, row), code: 'DONE_TOO_LATE' }
    const commands = [commandLine`show ${row.number}`, commandLine`note ${row.number} TEXT`]
    return openLateDones(task as Task).map(({ text }) => ({ ...item, detail: firstLine(text), commands }))
  })
}

function codeOf(reason: unknown): string {
  return String(reason).replaceAll('-', '_').toUpperCase()
}

/** Nothing can run, and no dependency cycle is the cause: the task that the others wait for needs a person. */
function blockedByPerson(view: LedgerView): InboxItem[] {
  const found = readDeadlock(view.ws)
  const task = found && (found.failed[0] ?? found.on_hold[0] ?? found.unknown[0])
  if (!found || !task) return []
  const isHeld = found.failed.length === 0 && found.on_hold.length > 0
  const commands =
    task.number === 0
      ? [commandLine`sync`]
      : [
          ...(isHeld ? [commandLine`resolve ${task.number} --resume`] : []),
          commandLine`resolve ${task.number} --fixed|--skip|--reset|--abort`,
        ]
  return [{ task, code: 'DEADLOCK', detail: found.detail, commands: [commandLine`graph`, ...commands] }]
}
