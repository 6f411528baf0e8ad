/**
 * Synchronises tasks and Linear's issues in both directions. Only a person's command calls this: no run waits for
 * Linear.
 */

import { sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { addNote, closeTask, editTask, reopenForWork } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { withFinishedParents } from '../../tasks/checks/finish-parents.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Applied, applySync } from './apply-sync.ts'
import { collectSyncTasks } from './collect-sync-tasks.ts'
import { type Linear, LinearRefusal, openLinear } from './linear-client.ts'
import { expectedId, planSync } from './plan-sync.ts'
import { readIssues, readLabels, readProjects, readTeam } from './read-linear.ts'
import { type LinearReport, reportSync } from './report-sync.ts'
import { readSyncMemory, writeSyncMemory } from './sync-memory.ts'
import type { Remote, SyncPlan } from './sync-plan.ts'
import type { Remembered, SyncMemory, SyncTask } from './sync-task.ts'
import { projectIdOf } from './write-fields.ts'

export async function syncLinear(ws: Workspace, options: { dryRun?: boolean } = {}): Promise<LinearReport> {
  assertAllowed('linear sync', ws.actor)
  const { team_id, create_project } = await settings(ws)
  const linear = openLinear(ws)
  const memory = readSyncMemory(ws)
  const tasks = collectSyncTasks(readLedger(ws), memory, create_project)
  const remote = await readRemote(linear, team_id, tasks)
  const plan = planSync(tasks, remote, memory)
  if (options.dryRun) return reportSync(plan, remote, null)
  const done = await applySync(linear, plan)
  const taken = recordSync(ws, plan, remote, done)
  writeSyncMemory(ws, renewed(memory, plan, { ...done, taken }))
  if (done.stopped) throw stoppedHalfway(done.stopped, done)
  return reportSync(plan, remote, { ...done, taken })
}

async function settings(ws: Workspace): Promise<{ team_id: string; create_project: boolean }> {
  const { enabled, team_id, create_project } = (await loadConfiguration(ws)).integrations.linear
  if (enabled && team_id) return { team_id, create_project }
  throw new UserError('LINEAR_OFF', `integrations.linear.${enabled ? 'team_id' : 'enabled'} is not set`, {
    hint: 'In gza.yaml: integrations: { linear: { enabled: true, team_id: ENG } }',
  })
}

async function readRemote(linear: Linear, teamId: string, tasks: readonly SyncTask[]): Promise<Remote> {
  try {
    const team = await readTeam(linear, teamId)
    const names = [...new Set(tasks.flatMap(({ labels }) => labels))]
    const keys = new Set(tasks.flatMap(({ project }) => project?.key ?? []))
    return {
      team,
      labels: await readLabels(linear, team.id, names),
      issues: await readIssues(linear, tasks.map(expectedId)),
      projects: await readProjects(
        linear,
        [...keys].map((key) => projectIdOf(team.id, key)),
      ),
    }
  } catch (error) {
    if (!(error instanceof LinearRefusal)) throw error
    throw new UserError('LINEAR_REFUSED', `Linear refused access to team ${teamId}: ${error.message}`, {
      hint: 'integrations.linear.team_id is the team’s id or its key, such as ENG.',
    })
  }
}

/** One commit: the issue of each task, and what people did with the issues. Returns the tasks that followed theirs. */
function recordSync(ws: Workspace, plan: SyncPlan, { issues }: Remote, done: Applied): Set<string> {
  const there = new Set(issues.map(({ id }) => id))
  const issueIds = new Map([...plan.issueIds].filter(([uid, id]) => done.created.has(uid) || there.has(id)))
  const pulls = new Map(plan.pulls.map((pull) => [pull.task.uid, pull]))
  return changeLedger(ws, (view) => {
    const taken = new Set<string>()
    const changed = [...new Set([...issueIds.keys(), ...pulls.keys()])].flatMap((uid) => {
      const task = taskOf(ws.state, view.row.lid, uid)
      if (task === null || task.deleted) return []
      const tied = linked(view, task, issueIds.get(uid))
      const next = pulled(view, tied, pulls.get(uid))
      if (next !== tied) taken.add(uid)
      return next === task ? [] : [next]
    })
    const subject = `sync ${plural(changed.length, 'task')} with Linear`
    const { parents: _, ...change } = withFinishedParents(view, { tasks: changed, subject })
    return { ...change, result: taken }
  })
}

/** A name that a person wrote there, such as ENG-12, stays. */
function linked({ ws }: LedgerView, task: Task, issueId: string | undefined): Task {
  if (issueId === undefined || task.linear_issue_id !== undefined) return task
  return editTask(task, { linear_issue_id: issueId }, { at: ws.now(), by: ws.actor.name })
}

/** A task that somebody works on, or that changed since it was read, is not touched: the next sync reads it again. */
function pulled(view: LedgerView, task: Task, pull: SyncPlan['pulls'][number] | undefined): Task {
  if (pull === undefined || view.leased.has(task.uid) || task.status !== ledgerStatus(pull.task)) return task
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  if (pull.to === 'pending') return reopenForWork(task, now)
  const words = `${pull.to === 'completed' ? 'Completed' : 'Canceled'} in Linear: ${pull.issue.identifier}`
  const noted = addNote(task, words, now, view.ws.random(8))
  const open = task.status === 'pending' ? noted : reopenForWork(noted, now)
  return closeTask(open, pull.to, now, { head: null, branch: null, commits: [] })
}

function ledgerStatus({ status }: SyncTask): Task['status'] {
  return status === 'in_progress' ? 'pending' : status
}

/** Only what really happened is remembered; the next sync decides anew about the rest. */
function renewed(before: SyncMemory, plan: SyncPlan, done: Applied & { taken: ReadonlySet<string> }): SyncMemory {
  const undone = new Set([
    ...done.failed.flatMap(({ task }) => task?.uid ?? []),
    ...plan.creates.map(({ task }) => task.uid).filter((uid) => !done.created.has(uid)),
    ...plan.updates.map(({ task }) => task.uid).filter((uid) => !done.updated.has(uid)),
    ...plan.pulls.map(({ task }) => task.uid).filter((uid) => !done.taken.has(uid)),
  ])
  const kept = [...plan.memory].filter(([uid]) => !undone.has(uid))
  // A task that was sent without a label or its parent counts as not sent: it is sent again when those are available.
  const sent = kept.map(([uid, step]): [string, Remembered] => [
    uid,
    done.partly.has(uid) ? { ...step, sent: '' } : step,
  ])
  return new Map([...before, ...sent])
}

function stoppedHalfway(error: UserError, done: Applied): UserError {
  const made = done.created.size + done.updated.size
  return new UserError(error.code, made === 0 ? error.fact : sentence`${error.fact} (done: ${plural(made, 'issue')})`, {
    hint: error.hint,
    cause: error,
  })
}
