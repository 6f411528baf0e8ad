import { whyTaskSpent } from '../core/run/budgets.ts'
import { isAgentDown } from '../core/run/run-rules.ts'
import { command, commandLine } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import type { ConcludedRun } from '../runs/conclude-run.ts'
import { forgetPauses } from '../runs/spend/agent-pauses.ts'
import { refuseTask, type WorkSession } from './work-session.ts'

/** Updates the session after a run has finished. A completed task goes to the lander. */
export function settleRun(session: WorkSession, plan: RunPlan, finished: ConcludedRun): void {
  const { tasks, slots, services, watcher } = session
  const { result, task, followUp } = finished
  const { outcome, reason } = result.end
  const caller = result.caller ?? plan.worker.agent.name
  report(session, plan, finished)
  // When the pause is over, one run tries, and the others wait for its result.
  if (reason === 'usage-limit' || reason === 'overloaded') slots.proven.delete(caller)
  else if (outcome !== 'interrupted' && !isAgentDown(reason)) proveAgent(session, caller)
  // It can start again as soon as a person has answered.
  if (outcome === 'interrupted' && reason !== 'question') tasks.leftAlone.add(task.uid)
  if (reason === 'suspected') settleSuspect(session, task)
  if (followUp !== null) tasks.followUps.add(followUp.uid)
  if (plan.place.branch !== null) services.ownMoves.set(plan.place.branch, performance.now())
  // Its files are free now.
  slots.busyFiles.at = Number.NEGATIVE_INFINITY
  services.maintenance.maybeStart()
  watcher.events.ended(plan, result, task)
  if (outcome === 'completed') services.lander.wake(task)
}

/**
 * It is tried again without other runs of this session. If it is suspected again, another process works here too: this
 * could repeat without end, because it costs no attempt.
 */
function settleSuspect(session: WorkSession, task: Task): void {
  const { suspects } = session.tasks
  if (suspects.has(task.uid)) refuseTask(session, task, new UserError('SUSPECTED', AGAIN, { hint: command`ps` }))
  suspects.add(task.uid)
}

const AGAIN = 'its agent or that of another gza has tampered here; try again when nothing else runs in this repository'

function report(session: WorkSession, plan: RunPlan, { result, task, unrecorded }: ConcludedRun): void {
  const { outcome, reason, detail = '' } = result.end
  const { completed, interrupted, refused, failed, down } = session.report
  if (outcome === 'completed') completed.push(plan)
  else if (reason === 'question')
    session.report.asked.push({ number: plan.subject.number, id: task.id, question: detail })
  else if (outcome === 'interrupted') {
    interrupted.push(plan)
    if (unrecorded) refused.push({ number: plan.subject.number, id: task.id, ...unrecorded })
  } else {
    const isFollowUp = session.tasks.followUps.has(task.uid)
    failed.push({ plan, result, isFinal: needsPerson(session, task), isFollowUp })
    if (isAgentDown(reason)) down.push({ agent: result.caller ?? plan.worker.agent.name, why: detail })
  }
}

/** From now on, several runs may call the agent at once. Runs that waited for that start now. */
export function proveAgent({ ws, slots }: WorkSession, agent: string): void {
  if (slots.proven.has(agent)) return
  forgetPauses(ws, agent)
  slots.proven.add(agent)
  slots.wake()
}

/** Agents do not try it again: it has failed, or its budget is used up. */
function needsPerson({ config, watcher }: WorkSession, task: Task): boolean {
  const spent = whyTaskSpent(config.budgets, task)
  if (spent !== null)
    watcher.events.reported(`Task #${task.number} has spent its budget (${spent}): ${commandLine`inbox`}`)
  return spent !== null || task.status === 'failed'
}
