import type { Config } from '../core/config/settings.ts'
import { askedByRun } from '../core/task/questions.ts'
import type { RunIsolation } from '../engine/isolation/agent-box/run-level.ts'
import type { OtherRuns, RunContext, RunObserver, Slot } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { openRunRecorder } from '../engine/phase/run-recorder.ts'
import { copiedVariable } from '../engine/set-up/place-files.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import type { Env } from '../platform/git/git.ts'
import { taskOf } from '../state/index/read-tasks.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { alsoFor, liveOf, type Workspace } from '../workspace/workspace.ts'
import { meterRun } from './spend/meter.ts'
import { runCommits } from './watch/guard-surroundings.ts'

/** A planned run with everything that it works with. */
export interface TaskRun {
  ws: Workspace
  config: Config
  plan: RunPlan
  context: RunContext
}

export interface RunSurroundings {
  slot: Slot
  observer: RunObserver
  others: OtherRuns
  isolation: RunIsolation
  /** Variables of its slot, for the agent, the set-up and the checks. */
  variables?: Env
}

export function openTaskRun(
  ws: Workspace,
  config: Config,
  plan: RunPlan,
  { slot, observer, others, isolation, variables }: RunSurroundings,
): TaskRun {
  const { repo, env, now, clock } = ws
  const copied = copiedVariable(repo, plan.worktree)
  const about = { repo, env: { ...env, ...variables, ...copied }, binary: ownExecutable(), now, clock }
  const host = { ...about, live: liveOf(ws), commits: runCommits(ws), isolation }
  const secrets = [env, copied, ...[...config.agents.values()].map((agent) => agent.env)]
  const recorder = openRunRecorder(host, plan, { observer, secrets })
  const openQuestion = () => questionOn(ws, plan)
  const context = { host, slot, recorder, observer, others, openMeter: meterRun(ws, plan), openQuestion }
  return { ws, config, plan, context }
}

/** Also on a task that the agent has closed: then it asked afterwards. */
function questionOn(ws: Workspace, { subject: { task, ledger, run } }: RunPlan): string | null {
  const view = readLedger(alsoFor(ws, { ledger }))
  const known = taskOf(ws.state, view.row.lid, task.uid)
  return (known && askedByRun(known, run).at(-1)?.text) ?? null
}
