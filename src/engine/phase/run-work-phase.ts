/** A phase that makes commits: the agent works, what it left is kept, and exactly the last commit is checked. */

import { iterateUntilDone } from './ralph-iterations.ts'
import type { RunResult } from './run-plan.ts'
import { judgePhase, letWork, type WorkStage } from './work-phase.ts'

export async function runWorkPhase(stage: WorkStage): Promise<RunResult> {
  const { ralph, earlier } = stage.plan.order
  if (ralph !== null) return iterateUntilDone(stage, ralph)
  return judgePhase(stage, earlier ?? (await letWork(stage)))
}
