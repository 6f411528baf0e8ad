/** What an agent may do inside a run that gza supervises: work on its own task and on what it filed itself. */
import { command, sentence } from '../../core/sentence.ts'
import { type FilingRules, filedIn } from '../../core/task/filed-in.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { liveRun } from '../../state/live/live-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** The run's own task, and those that runs of it have filed. Anything, for people and for agents outside of runs. */
export function isOwnTask({ actor }: Workspace, task: Pick<Task, 'uid' | 'extra'>): boolean {
  if (actor.inRun === undefined) return true
  const own = actor.inRun.task
  return own !== null && (task.uid === own || filedIn(task)?.task === own)
}

export function refuseOthersTask(ws: Workspace, task: Task, deed: string): void {
  if (isOwnTask(ws, task)) return
  throw new UserError('NOT_YOUR_TASK', `Run ${ws.actor.run} cannot ${deed} ${task.id}: that is not its own task`, {
    hint: sentence`A run has its task and those it filed. Leave this one to others; tell them: ${command`note ${task.id} "…"`}`,
  })
}

/** A run has its task. Another one would be worked on unseen, in the wrong worktree and at the first one's cost. */
export function refuseInRun({ actor }: Workspace, deed: string): void {
  if (actor.inRun === undefined) return
  throw new UserError('AGENT_MODE', `${deed} is blocked inside run ${actor.run}: a run has one task`, {
    hint: sentence`Finish your task. What else there is to do: ${command`add "…"`}`,
  })
}

/** A living holder keeps its task, unless a person decides otherwise. */
export function refuseTaking({ actor }: Workspace, what: string): void {
  if (actor.mode === 'human') return
  throw new UserError('AGENT_MODE', `${what} is blocked in agent mode: only people take a task from its holder`, {
    hint: sentence`To get another task: ${command`claim --next`}`,
  })
}

/** As the process that started the run has written them down. The agent's own checkout does not decide. */
export function filingRules({ live, actor }: Workspace): FilingRules {
  const row = live === null || actor.run === undefined ? null : liveRun(live, actor.run)
  return row?.filing ? JSON.parse(row.filing) : DEFAULT_RULES
}

/** For what has no run of its own, such as a check of a landing. */
const DEFAULT_RULES: FilingRules = { max: 20, max_depth: 3, depth: 0 }
