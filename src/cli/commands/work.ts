import { planWork } from '../../app/engine/plan-work.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { type RalphFlags, ralphOptions } from '../ralph-options.ts'
import { renderWorkPlan } from '../render/work-plan.ts'
import { workOn } from '../work-on.ts'

interface Flags extends GlobalFlags, RalphFlags {
  count?: number
  all: boolean
  workers?: number
  agent?: string
  model?: string
  'take-over': boolean
  'dry-run': boolean
}

export default async function workTasks(this: Face, flags: Flags, ...refs: string[]): Promise<void> {
  const { count, all, workers, agent, model } = flags
  const asked = { refs, count, all, workers, agent, model, takeOver: flags['take-over'], ...ralphOptions(flags) }
  if (!flags['dry-run']) return workOn(this, flags, asked)
  const plan = await inWorkspace(this, flags, (ws) => planWork(ws, asked))
  printResult(this, flags, plan, renderWorkPlan(plan, this.look))
}
