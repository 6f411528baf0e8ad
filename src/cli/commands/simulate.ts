import { simulateWork } from '../../app/engine/simulate-work.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { printResult } from '../print.ts'
import { renderSimulation } from '../render/simulation.ts'

type Flags = GlobalFlags & { workers?: number; group?: string }

export default async function simulate(this: Face, flags: Flags): Promise<void> {
  const simulation = await inWorkspace(this, flags, (ws) => simulateWork(ws, flags))
  printResult(this, flags, simulation, renderSimulation(simulation, this.look))
  if (simulation.schedule.length === 0 && !flags.json) this.err.write('Nothing would run.\n')
}
