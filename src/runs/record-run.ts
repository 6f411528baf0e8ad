/** Records a run in the ledger: its start, its end, and the text it made. Written in the agent's name. */

import { basename } from 'node:path'
import { isFinalFailure, type RunEnd } from '../core/run/run-rules.ts'
import { textName } from '../core/run/text-names.ts'
import { command } from '../core/sentence.ts'
import { isAway } from '../core/task/move.ts'
import { addNote, closeTask, editTask, recordRun } from '../core/task/operations.ts'
import { OUTPUT_FOLDERS } from '../core/task/output-folders.ts'
import { isPending } from '../core/task/status-predicates.ts'
import { type Run, refOf, type Task, titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { NOT_ISOLATED, type RunIsolation } from '../engine/isolation/agent-box/run-level.ts'
import type { RunPlan, RunResult, RunSubject } from '../engine/phase/run-plan.ts'
import { leaseLost } from '../engine/phase/run-recorder.ts'
import { passStep } from '../platform/processes/crash-point.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { holdsLease, type Lease } from '../state/live/leases.ts'
import { withFinishedParents } from '../tasks/checks/finish-parents.ts'
import { openTaskFactory } from '../tasks/task-factory.ts'
import { joinMovedTasks } from '../workspace/branches/join-moved-tasks.ts'
import { changeLedgerBeside } from '../workspace/ledger/beside/change-ledger-beside.ts'
import { writeNotesBeside } from '../workspace/ledger/beside/write-notes-beside.ts'
import type { Decision } from '../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { expiredElsewhere } from '../workspace/ledger/running-elsewhere.ts'
import { freeCopy, writeCopy } from '../workspace/texts/copies.ts'
import { runningOn } from '../workspace/views/task-status.ts'
import { alsoFor, liveOf, type Workspace } from '../workspace/workspace.ts'
import { startedBy } from './new-run.ts'
import { openChildren } from './workable.ts'

/** The workspace with the run's agent as actor, so that the rules for agents apply to what a run writes. */
export function asRunner(ws: Workspace, { subject, worker }: Pick<RunPlan, 'subject' | 'worker'>): Workspace {
  const actor: Workspace['actor'] = { name: worker.agent.name, mode: 'agent', source: 'run', run: subject.run }
  return alsoFor(ws, { ledger: subject.ledger, actor })
}

/** Called before the agent starts, so that attempts are counted even if the state store is lost. */
export function recordStart(
  ws: Workspace,
  { plan, takesOver }: { plan: RunPlan; takesOver: boolean },
  isolation: RunIsolation = NOT_ISOLATED,
): Promise<Task> {
  const { subject, worker, place } = plan
  const { run, attempt } = subject
  const { review } = plan.order
  return changeLedgerBeside(asRunner(ws, plan), (view) => {
    const task = openTask(view, subject)
    if (!takesOver) refuseElsewhere(view, subject)
    const started: Run = {
      run,
      attempt,
      ...startedBy(ws),
      started_at: ws.now(),
      generation: task.generation,
      agent: worker.agent.name,
      // Absent: the client's own choice.
      ...(worker.settings.model !== null && { model: worker.settings.model }),
      // The agent that the task was assigned to, if its name differs from the client's.
      ...(task.assigned_agent !== undefined && { assigned_agent: task.assigned_agent }),
      // In the person's checkout, by `git tasks run`: its commits are on no branch of the task.
      ...(place.path === null && { in_tree: true }),
      // What held its agents, unless a person has turned isolation off.
      ...(isolation.isWanted && { isolation: isolation.level }),
      ...(review && { max_cycles: review.maxCycles, ...(review.isFresh && { fresh: true }) }),
    }
    const begun = recordTaking(view, task, started)
    const branched = place.branch === null ? begun : editTask(begun, { branch: place.branch }, authorship(view))
    return { tasks: [branched], subject: `start ${task.id} attempt ${attempt}`, result: branched }
  })
}

/** Records the run that takes the task. Claims of other clones that have expired are named in it, and not ended. */
export function recordTaking({ ws }: LedgerView, task: Task, run: Run): Task {
  const expired = expiredElsewhere(ws, task)
  if (expired.length === 0) return recordRun(endOthers(task, run, ws.now()), run)
  const expired_claims = expired.map((claim) => claim.run)
  const others = { ...task, runs: task.runs.filter((known) => !expired.includes(known)) }
  const ended = endOthers(others, run, ws.now())
  const taken = [...expired, { ...run, expired_claims }].reduce(recordRun, ended)
  return expired.some(({ agent }) => agent === task.assigned_agent)
    ? editTask(taken, { assigned_agent: null }, { at: ws.now(), by: ws.actor.name })
    : taken
}

/** Taking a task ends the runs of others: a run that was taken over has ended for every clone. */
function endOthers(task: Task, { run, agent }: Run, at: string): Task {
  const end = { ended_at: at, outcome: 'interrupted', reason: 'interrupted', detail: `taken over by ${agent} (${run})` }
  const open = task.runs.filter((known) => known.run !== run && known.ended_at === undefined)
  return open.reduce((ended, known) => recordRun(ended, { ...known, ...end }), task)
}

export interface Recorded {
  task: Task
  /** A review that was requested with the task. It runs immediately. */
  followUp: Task | null
  /** How the run ended; may differ from what was reported. */
  end: RunEnd
  /** Where the copy of its text goes. */
  output: string | null
}

/** Once for each run; refused for a holder whose lease was taken over, or whose run another has ended. */
export async function recordEnd(ws: Workspace, plan: RunPlan, lease: Lease, reported: RunResult): Promise<Recorded> {
  const recorded = await changeLedgerBeside(asRunner(ws, plan), (view): Decision<Recorded> => {
    const { task: planned } = plan.subject
    if (!holdsLease(liveOf(ws), planned.uid, lease.token)) throw leaseLost(plan)
    const task = taskOf(view.ws.state, view.row.lid, planned.uid) ?? planned
    const known = task.runs.find(({ run }) => run === plan.subject.run)
    if (known?.ended_at !== undefined) throw leaseLost(plan)
    const result = unlessEdited(planned, task, reported)
    const ended = withIncidents(view, closeByResult(view, plan, task, known, result), result)
    const output = plan.place.output === null || result.text === null ? null : freeCopy(view.ws, plan.place.output)
    const followUp = result.end.outcome === 'completed' ? reviewFor(view, ended) : null
    const word = result.end.outcome === 'completed' ? 'complete' : `${result.end.outcome} (${result.end.reason})`
    return {
      ...withFinishedParents(view, {
        tasks: followUp === null ? [ended] : [ended, followUp],
        subject: `end ${task.id} ${word}`,
      }),
      result: { task: ended, followUp, end: result.end, output },
      ...(result.text !== null && { artifacts: new Map([[artifactPath(plan, output), result.text]]) }),
    }
  })
  passStep(ws.env, 'recorded')
  // A sync may have brought a move meanwhile: the line that people see gets the end too.
  if (isAway(recorded.task, plan.subject.ledger)) joinMovedTasks(ws)
  await writeNotesBeside(ws, [recorded.task])
  if (reported.text !== null && recorded.output !== null) writeCopy(ws, recorded.output, reported.text)
  passStep(ws.env, 'noted')
  return recorded
}

/** If a person edited the task meanwhile, the work does not complete it. The next run continues from that work. */
function unlessEdited(planned: Task, task: Task, result: RunResult): RunResult {
  const request = ({ content, acceptance_criteria = [] }: Task) => JSON.stringify([content, acceptance_criteria])
  if (result.end.outcome !== 'completed' || task.status !== 'pending' || request(task) === request(planned))
    return result
  const detail = 'the task was edited while it ran'
  return { ...result, end: { ...result.end, outcome: 'interrupted', reason: 'interrupted', detail } }
}

function closeByResult(view: LedgerView, plan: RunPlan, task: Task, known: Run | undefined, result: RunResult): Task {
  const { end, commits, session } = result
  const base: Run = known ?? {
    run: plan.subject.run,
    attempt: plan.subject.attempt,
    ...startedBy(view.ws),
    started_at: end.ended_at,
    generation: task.generation,
  }
  const ran = recordRun(task, { ...base, ...end, ...(session !== null && { session }) })
  if (!isPending(task)) return ran
  // Its agent has divided it: its children complete the rest.
  if (end.outcome === 'completed' && openChildren(view, task.uid).length > 0) return ran
  if (end.outcome === 'completed')
    return closeTask(ran, 'completed', authorship(view), { head: null, branch: null, commits })
  if (end.outcome !== 'failed' || end.reason === undefined) return ran
  const isFinal = isFinalFailure(task, end.reason, plan.limits.maxAttempts)
  return isFinal ? closeTask(ran, 'failed', authorship(view), { head: null, branch: null, commits: [] }) : ran
}

function withIncidents(view: LedgerView, task: Task, { incidents }: RunResult): Task {
  return incidents.reduce((noted, incident) => addNote(noted, incident, authorship(view), view.ws.random(8)), task)
}

/** `--review` makes a review task on completion, in the same group. */
function reviewFor(view: LedgerView, task: Task): Task | null {
  if (!task.create_review || OUTPUT_FOLDERS[task.type] !== undefined) return null
  return openTaskFactory(view)({
    content: `Review ${titleOf(task)}`,
    type: 'review',
    depends_on: [refOf(task)],
    ...(task.group !== undefined && { group: task.group }),
  })
}

/** Its name contains that of its copy, so that each can be found by the other. */
function artifactPath({ subject: { task, attempt } }: RunPlan, copy: string | null): string {
  return `artifacts/${task.uid}/${textName({ stem: basename(copy ?? 'text.md', '.md'), attempt, edition: 0 })}`
}

/** The task as it is now. A task that was closed or deleted since it was chosen is not started. */
function openTask(view: LedgerView, { task: planned, number }: RunSubject): Task {
  const task = taskOf(view.ws.state, view.row.lid, planned.uid)
  if (task !== null && isPending(task) && !isAway(task, view.ws.ledger)) return task
  const what = task === null || task.deleted ? 'deleted' : isPending(task) ? `on ${task.moved_to}` : task.status
  throw new UserError('TASK_CLOSED', `Task #${number} is already ${what}`, { hint: command`status` })
}

/** A sync may have brought in the start of another clone's run since the task was chosen. */
function refuseElsewhere(view: LedgerView, { task: { uid }, number }: RunSubject): void {
  const row = entry(view, uid)
  const host = row === undefined ? null : runningOn(view, row)
  if (host === null) return
  throw new UserError('TASK_RUNNING', `Task #${number} is in progress on ${host}`, {
    hint: command`work ${number} --take-over`,
  })
}

function authorship(view: LedgerView) {
  return { at: view.ws.now(), by: view.ws.actor.name }
}
