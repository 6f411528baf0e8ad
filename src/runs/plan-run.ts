/** Collects everything that a run needs to know, before the task is taken for it. */

import type { Agent } from '../agents/agent.ts'
import { effectiveFor } from '../core/config/effective.ts'
import type { Config } from '../core/config/settings.ts'
import type { Prompt } from '../core/documents/fit-prompt.ts'
import { branchName } from '../core/run/branch-name.ts'
import { hasUnfinishedWork, isSetAside } from '../core/run/finished-work.ts'
import { lastRun, nextAttempt } from '../core/run/run-rules.ts'
import { amount } from '../core/run/run-totals.ts'
import { command, sentence } from '../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../core/task/output-folders.ts'
import { type Run, type Task, titleOf, uidOf } from '../core/task/task.ts'
import { shellWord } from '../core/text/shell-word.ts'
import { UserError } from '../core/user-error.ts'
import type { RalphOrder, RunPlan, RunWorker } from '../engine/phase/run-plan.ts'
import { isBranchName, readRef, refInTheWay } from '../platform/git/refs.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { isBranchLeased } from '../state/live/leases.ts'
import { othersOnBranch } from '../workspace/ledger/finished-work.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { buildPrompt, promptTemplate } from './prompt/build-prompt.ts'
import { judgedWork } from './review/judged-work.ts'
import { planReview } from './review/plan-review.ts'
import type { RunOptions } from './run-options.ts'
import { type StartPoint, startPoint } from './start-point.ts'

interface PlanOptions extends Omit<RunOptions, 'agent'> {
  run: string
  agent: Agent
  branch: string | null
  path: string | null
}

/** The plan of the run, before anything is leased or created. */
export function planRun(view: LedgerView, config: Config, task: Task, options: PlanOptions): RunPlan {
  const { agent, run, branch, path } = options
  const settings = effectiveFor(config, task.type, { agent: agent.name, model: options.model })
  const output = outputOf(task)
  const { from, merge } = startOf(view, task, branch)
  const resumes = options.resume ?? lastRun(task)?.reason === 'question'
  const resume = resumes && !options.ralph && agent.canResume ? sessionOf(task, agent.name) : null
  const number = entry(view, task.uid)?.number ?? task.number
  const prompt = taskPrompt(view, config, task, { branch, baseRed: options.baseRed ?? null })
  return {
    subject: { run, attempt: nextAttempt(task), task, number, ledger: view.ws.ledger },
    worker: { agent, settings, resume },
    place: { branch, path, from, merge, output },
    order: {
      prompt: prompt.text,
      promptKey: prompt.key,
      review: planReview(view, config, task, { branch, settings, isFresh: options.resume === false }),
      ralph: options.ralph && branch !== null ? ralphOrder(view, config, options) : null,
      earlier: null,
    },
    verify: config.verify,
    worktree: config.worktree,
    limits: { budgets: config.budgets, maxAttempts: task.max_attempts ?? settings.max_attempts },
  }
}

/** The prompt of the task itself. Phases of a review cycle have their own. */
export function taskPrompt(
  view: LedgerView,
  config: Config,
  task: Task,
  { branch, baseRed = null }: { branch: string | null; baseRed?: string | null },
): Prompt {
  const judged = task.type === 'review' ? judgedWork(view, task) : null
  return buildPrompt(view, task, { branch, output: outputOf(task), verify: config.verify, judged, baseRed })
}

function outputOf(task: Task): string | null {
  const folder = OUTPUT_FOLDERS[task.type]
  return folder === undefined ? null : `.gza/${folder}/${branchName(dateOf(task), titleOf(task), () => false)}.md`
}

function ralphOrder(
  view: LedgerView,
  { ralph }: Config,
  { maxIterations }: Pick<RunOptions, 'maxIterations'>,
): RalphOrder {
  return { maxIterations: maxIterations ?? ralph.max_iterations, template: promptTemplate(view, 'ralph') }
}

/** The session of the last attempt with the same agent, and what all attempts had spent in it by then. */
function sessionOf(task: Task, agent: string): RunWorker['resume'] {
  const last = lastRun(task)
  if (last === null || last.outcome === 'completed' || last.agent !== agent) return null
  const { session } = last
  if (typeof session !== 'string') return null
  const runs = task.runs.filter((run) => run.session === session)
  const sum = (read: (run: Run) => unknown) => runs.reduce((total, run) => total + amount(read(run)), 0)
  const spent = {
    input: sum((run) => run.tokens_in),
    output: sum((run) => run.tokens_out),
    usd: sum((run) => run.cost_usd),
  }
  return { session, spent }
}

/** Where its work starts; for a review, the commit that it judges. */
export function startOf(view: LedgerView, task: Task, branch: string | null = null): StartPoint {
  if (task.type !== 'review') return startPoint(view, task, branch)
  const { commit, base } = judgedWork(view, task)
  return { from: commit, merge: [], base }
}

/** Null for tasks that make a text and no commits. */
export function branchFor(view: LedgerView, task: Task): string | null {
  return OUTPUT_FOLDERS[task.type] === undefined ? branchOf(view, task) : null
}

/**
 * A task keeps the branch that it was given. `same_branch` and `improve` continue on the branch of their predecessor,
 * unless an agent has left unfinished work there that is not the predecessor's. `planned` are the branches, by uid, that
 * earlier tasks will have by then.
 */
export function branchOf(view: LedgerView, task: Task, planned: ReadonlyMap<string, string> = new Map()): string {
  if (task.branch !== undefined) return possible(view, task, task.branch)
  const before = task.based_on[0] && taskOf(view.ws.state, view.row.lid, uidOf(task.based_on[0]))
  const ownBefore = before && isBranchName(before.branch) ? before.branch : undefined
  const branchBefore = before ? (ownBefore ?? planned.get(before.uid)) : undefined
  const isContinued = (task.same_branch || task.type === 'improve') && branchBefore !== undefined
  if (before && isContinued && !isLeftUnfinished(view, before, branchBefore)) return branchBefore
  const names = new Set(planned.values())
  const isTaken = (name: string) => {
    const ref = `refs/heads/${name}`
    if (names.has(name) || readRef(view.ws.repo, ref) !== null || refInTheWay(view.ws.repo, ref) !== null) return true
    return view.ws.live !== null && isBranchLeased(view.ws.live, { uid: task.uid, branch: name })
  }
  return branchName(dateOf(task), titleOf(task), isTaken)
}

function isLeftUnfinished(view: LedgerView, before: Task, branch: string): boolean {
  return isSetAside(before) || hasUnfinishedWork(before, othersOnBranch(view, before, branch))
}

/** A task keeps its branch name, so that its work can be found. A person must make room for it. */
function possible({ ws }: LedgerView, task: Task, branch: string): string {
  if (!isBranchName(branch))
    throw new UserError('BAD_BRANCH', `${task.id} has the branch '${branch}', which git does not allow`, {
      hint: sentence`File the task anew: ${command`show ${task.id}`}, then ${command`add`}`,
    })
  const ref = `refs/heads/${branch}`
  const other = readRef(ws.repo, ref) === null ? refInTheWay(ws.repo, ref)?.slice('refs/heads/'.length) : undefined
  if (other === undefined) return branch
  const what = `${task.id} has the branch ${branch}, which git cannot create while ${other} exists`
  const way = `git branch -m ${shellWord(other)} NEW-NAME makes room for it`
  throw new UserError('BRANCH_IN_THE_WAY', `${what}; ${way}`, { hint: command`work ${task.id}` })
}

function dateOf(task: Task): string {
  return task.created_at.slice(0, 10).replaceAll('-', '')
}
