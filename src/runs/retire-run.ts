/**
 * Ends the run of a worker that died or was replaced: ends its processes, keeps its work on its branch, and records in
 * the ledger how it ended. Each step can be repeated by the next process that finds it half done.
 */

import { editTask, recordRun } from '../core/task/operations.ts'
import { type Run, type Task, titleOf } from '../core/task/task.ts'
import { isolatePrograms } from '../engine/isolation/agent-box/box-programs.ts'
import { importLeft, importLeftOf } from '../engine/isolation/agent-box/import-in-box.ts'
import { removePrivateGitOf } from '../engine/isolation/private-git/remove.ts'
import { keptOutcome } from '../engine/phase/keep-outcome.ts'
import { forgetPrompt } from '../engine/phase/prompt-file.ts'
import { endMarked } from '../engine/supervise/run-processes.ts'
import { keepLeftovers } from '../engine/worktree/keep-leftovers.ts'
import { removeWorkplace } from '../engine/worktree/remove.ts'
import { workplacePath } from '../engine/worktree/workplace.ts'
import { fileExists } from '../platform/files/files.ts'
import { removePipes } from '../platform/files/untrusted/remove-pipes.ts'
import { identityOf } from '../platform/git/git-identity.ts'
import { markedBy } from '../platform/git/own-git.ts'
import { readRef } from '../platform/git/refs.ts'
import { dropThrowAway } from '../platform/git/throw-away.ts'
import { reconnectWorktree } from '../platform/git/worktrees.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { LANDING, type Lease } from '../state/live/leases.ts'
import { finishRun, liveRun } from '../state/live/live-runs.ts'
import { rememberGone } from '../state/live/supervisors.ts'
import { isFleetClone } from '../workspace/fleet/record-in-fleet.ts'
import { changeLedger, type Decision } from '../workspace/ledger/change-ledger.ts'
import { writeNotes } from '../workspace/ledger/link-commits.ts'
import { readLedger, readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import { writeMissingCopies } from '../workspace/texts/copies.ts'
import { alsoFor, liveOf, type Workspace } from '../workspace/workspace.ts'
import { closeWindowsAfterCrash } from './watch/guard-surroundings.ts'

/** Returns a sentence for a person if the run had not ended by itself. */
export async function retireRun(ws: Workspace, lease: Lease): Promise<string | null> {
  // gza must not end an agent that it did not start.
  if (!isClaim(lease)) {
    rememberGone(liveOf(ws), lease.run, lease.start_time)
    await endMarked(lease.run)
  }
  closeWindowsAfterCrash(inLedger(ws, lease), lease.run)
  forgetPrompt(ws.repo, lease.run)
  passStep(ws.env, 'silenced')
  const head = await keepWork(ws, lease)
  passStep(ws.env, 'rescued')
  await clearPlace(ws, lease)
  passStep(ws.env, 'cleared')
  const { task, run, isNew } = recordInterruption(ws, lease, head)
  if (task !== null && run !== undefined) rewriteCopies(inLedger(ws, lease), task, run)
  passStep(ws.env, 'ended')
  const { ended_at = ws.now(), outcome = 'interrupted', reason = null } = run ?? {}
  finishRun(liveOf(ws), lease.run, { ended_at, outcome, reason })
  return isNew ? sentenceOf(lease, task, head) : null
}

/** An agent that gave a claimed task back, or whose claim expired, is no longer assigned to it. */
export function freeTask(task: Task, { holder }: Lease, at: string): Task {
  return task.assigned_agent === holder ? editTask(task, { assigned_agent: null }, { at, by: holder }) : task
}

export function isClaim(lease: Lease): boolean {
  return lease.expires_at !== null
}

/** `head`: the tip of its branch; null if it has none, or died before the branch was made. */
function sentenceOf(lease: Lease, task: Task | null, head: string | null): string {
  const number = `task #${task?.number ?? '?'}`
  if (isClaim(lease)) return `The claim of ${lease.holder} on ${number} has ended`
  if (lease.branch === null) return `The run of ${number} was interrupted`
  return head === null
    ? `The run of ${number} was interrupted before it had a branch`
    : `The run of ${number} was interrupted; its work is kept on ${lease.branch}`
}

async function keepWork(ws: Workspace, lease: Lease): Promise<string | null> {
  const { branch, path, run } = lease
  // What an agent has left is read only below. A claim is of another tool.
  if (!isClaim(lease)) await isolatePrograms(ws.repo)
  // In the person's own tree.
  if (path === null) await importLeftOf(markedBy(ws.repo, run), run)
  if (path === null || branch === null) return null
  await removePipes(path)
  const repo = markedBy(ws.repo, run)
  const level = await importLeft(repo, { path, run })
  const tip = readRef(repo, `refs/heads/${branch}`)
  // Without a box nothing of what it left may run: the worktree stays.
  if (tip === null || !fileExists(path) || level === null) return tip
  reconnectWorktree(repo, path)
  const workplace = { branch, path, base: lease.head ?? tip }
  const order = { run, level, message: messageOf(ws, lease), identity: identityOf(ws.repo) }
  return (await keepLeftovers(repo, workplace, order)).head
}

/** If the agent had finished, what it left uncommitted is its work and gets the normal message. */
function messageOf(ws: Workspace, lease: Lease): string {
  const outcome = keptOutcome(liveOf(ws), lease.run)
  const task = taskIn(ws, lease)
  if (task === null) return `WIP: interrupted run ${lease.run}`
  const message = outcome?.message ?? titleOf(task)
  return outcome?.report.failure === null ? message : `WIP: ${titleOf(task)} (interrupted)`
}

/** A worktree with uncommitted content stays, and the next run continues in it. A landing is built again. */
async function clearPlace(ws: Workspace, { uid, branch, path, run }: Lease): Promise<void> {
  if (path === null) return
  const repo = markedBy(ws.repo, run)
  const temporary = workplacePath(ws.repo, ws.env, { branch: null, run })
  for (const each of [temporary, ...(uid.startsWith(LANDING) ? [path] : [])]) {
    dropThrowAway(repo, each)
    await removePrivateGitOf(repo, each)
  }
  if (branch !== null) await removeWorkplace(repo, { path })
}

interface Interruption {
  task: Task | null
  run: Run | undefined
  /** Its end had not been recorded before. */
  isNew: boolean
}

function recordInterruption(ws: Workspace, lease: Lease, head: string | null): Interruption {
  // A dead run of a fleet's worker is ended by the next one of its task: this clone may no longer speak for it.
  if (isFleetClone(ws.repo)) return { task: taskIn(ws, lease), run: undefined, isNew: false }
  return changeLedger(inLedger(ws, lease), (view): Decision<Interruption> => {
    const task = taskOf(view.ws.state, view.row.lid, lease.uid)
    const run = task?.runs.find((known) => known.run === lease.run)
    if (task === null || run === undefined || run.ended_at !== undefined)
      return { tasks: [], subject: '', result: { task, run, isNew: false } }
    const ended = { ...run, ...endOf(ws, lease), ...(head !== null && { head }) }
    const next = isClaim(lease) ? freeTask(recordRun(task, ended), lease, ws.now()) : recordRun(task, ended)
    return { tasks: [next], subject: `end ${task.id} interrupted`, result: { task: next, run: ended, isNew: true } }
  })
}

/** Includes its cost so far, as far as it was recorded. */
function endOf(ws: Workspace, lease: Lease) {
  const end = { ended_at: ws.now(), outcome: 'interrupted', reason: 'interrupted' }
  const row = liveRun(liveOf(ws), lease.run)
  if (row === null) return end
  const { cost_usd, tokens_in, tokens_out, turns, session } = row
  return { ...end, cost_usd, tokens_in, tokens_out, ...(turns > 0 && { turns }), ...(session !== null && { session }) }
}

function taskIn(ws: Workspace, lease: Lease): Task | null {
  const view = readOtherLedger(ws, lease.ledger)
  return taskOf(view.ws.state, view.row.lid, lease.uid)
}

/** The workspace in which the run's agent wrote. */
function inLedger(ws: Workspace, { ledger, holder, run }: Lease): Workspace {
  return alsoFor(ws, { ledger, actor: { name: holder, mode: 'agent', source: 'run', run } })
}

/** Writes the notes and copies that a worker did not write because it died after it recorded the end. */
function rewriteCopies(ws: Workspace, task: Task, { attempt, outcome }: Run): void {
  if (outcome === 'completed') writeNotes(ws, [task])
  writeMissingCopies(readLedger(ws), task, attempt)
}
