import { planWork } from '../../../scheduler/choose/plan-work.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { type RalphFlags, ralphOptions } from '../../flags/ralph-options.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderWorkPlan } from '../../render/run/work-plan.ts'
import { printResult } from '../../terminal/print.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags, RalphFlags {
  count?: number
  all: boolean
  workers?: number
  agent?: string
  model?: string
  'take-over': boolean
  'dry-run': boolean
  wait: boolean
  'max-wait'?: number
  'no-base-check': boolean
}

export default async function workTasks(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  const { count, all, workers, agent, model } = flags
  const hours = flags['max-wait']
  const waiting = {
    // Where nobody looks, a script decides whether it may take all night. Who says how long wants to wait.
    wait: flags.wait || hours !== undefined || (all && (await this.isTerminal(1))),
    ...(hours !== undefined && { maxWaitMs: hours * 3_600_000 }),
  }
  const chosen = {
    refs,
    count,
    all,
    workers,
    agent,
    model,
    takeOver: flags['take-over'],
    baseCheck: !flags['no-base-check'],
  }
  const asked = { ...chosen, ...waiting, ...ralphOptions(flags) }
  if (!flags['dry-run']) return workOn(this, flags, asked)
  const plan = await inWorkspace(this, flags, (ws) => planWork(ws, asked))
  printResult(this, flags, plan, renderWorkPlan(plan, this.display))
}
