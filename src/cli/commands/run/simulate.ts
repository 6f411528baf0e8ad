import { simulateWork } from '../../../scheduler/simulate-work.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderSimulation } from '../../render/run/simulation.ts'
import { printResult } from '../../terminal/print.ts'

type Flags = GlobalFlags & { workers?: number; group?: string }

export default async function simulate(this: CallContext, flags: Flags): Promise<void> {
  const simulation = await inWorkspace(this, flags, (ws) => simulateWork(ws, flags))
  printResult(this, flags, simulation, renderSimulation(simulation, this.display))
  if (simulation.schedule.length === 0 && !flags.json) this.err.write('Nothing would run.\n')
}
