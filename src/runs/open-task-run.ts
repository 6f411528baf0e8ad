import type { Config } from '../core/config/settings.ts'
import type { OtherRuns, RunContext, RunObserver, Slot } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { openRunRecorder } from '../engine/phase/run-recorder.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import { meterRun } from './spend/meter.ts'

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
}

export function openTaskRun(
  ws: Workspace,
  config: Config,
  plan: RunPlan,
  { slot, observer, others }: RunSurroundings,
): TaskRun {
  const { repo, env, now, clock } = ws
  const host = { repo, env, binary: ownExecutable(), live: liveOf(ws), now, clock }
  const secrets = [env, ...[...config.agents.values()].map((agent) => agent.env)]
  const recorder = openRunRecorder(host, plan, { observer, secrets })
  return { ws, config, plan, context: { host, slot, recorder, observer, others, openMeter: meterRun(ws, plan) } }
}
