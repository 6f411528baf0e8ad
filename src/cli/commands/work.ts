import type { Face, GlobalFlags } from '../face.ts'
import { workOn } from '../work-on.ts'

interface Flags extends GlobalFlags {
  count?: number
  all: boolean
  workers?: number
  agent?: string
  model?: string
  'take-over': boolean
}

export default async function workTasks(this: Face, flags: Flags, ...refs: string[]): Promise<void> {
  const { count, all, workers, agent, model } = flags
  await workOn(this, flags, { refs, count, all, workers, agent, model, takeOver: flags['take-over'] })
}
