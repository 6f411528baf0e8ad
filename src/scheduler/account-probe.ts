/**
 * By what a run shows that its agent's account works. A client that speaks events says so: the model has answered. Of
 * plain text nobody knows what it means, so there the signs are work in its workplace, or that it has been running for a
 * while without a word of a limit. A client that keeps quiet for longer than that before it names its limit is taken for
 * one at work; with each such while the number of those that try doubles, and that is what it costs.
 */
import type { Agent } from '../agents/agent.ts'
import { classifyFailure } from '../agents/reading/classify-failure.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { placeNow } from '../engine/worktree/workplace.ts'
import { lastPause } from '../runs/spend/agent-pauses.ts'
import { workplacePath } from '../runs/workplace-path.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface AccountEvidence {
  /** A model has answered: that of the run's agent, or of another one that it calls on the way. */
  answered: (agent: Agent) => void
  /** The workplace is as the agent will find it. */
  prepared: () => void
  printed: (line: string) => void
}

/** Longer than slow clients take to start and to be refused once. */
const SILENT_PROOF_MS = 10_000
const LOOK_MS = 1000

export interface AccountProbe extends AccountEvidence {
  isAtWork: () => boolean
}

interface Trial {
  /** Others wait for what comes of it. */
  isTrying: boolean
  /** Called once an agent's account has shown that it works. */
  prove: (agent: string) => void
}

export function openAccountProbe(ws: Workspace, plan: RunPlan, { isTrying, prove }: Trial): AccountProbe {
  const began = performance.now()
  const path = workplacePath(ws, plan)
  let before: string | null = null
  let looked = began
  let isDoubted = lastPause(ws.env, plan.agent.name) !== null
  const hasWorked = (): boolean => {
    if (before === null || performance.now() - looked < LOOK_MS) return false
    looked = performance.now()
    const now = placeNow(ws.repo, path)
    return now !== null && now !== before
  }
  const isText = isTrying && !plan.agent.speaksEvents
  return {
    answered: (agent) => {
      if (agent.speaksEvents) prove(agent.name)
    },
    prepared: () => {
      if (isText) before ??= placeNow(ws.repo, path)
    },
    printed: (line) => {
      if (isText && !isDoubted) isDoubted = speaksOfLimits(line)
    },
    isAtWork: () => {
      if (!isText) return false
      if (!hasWorked()) return !isDoubted && performance.now() - began > SILENT_PROOF_MS
      prove(plan.agent.name)
      return true
    },
  }
}

const LONGEST = 1000

/** No proof of a limit: an agent may be writing a rate limiter. To wait for another sign costs nothing. */
function speaksOfLimits(line: string): boolean {
  const text = line.slice(0, LONGEST)
  return classifyFailure(text) !== 'other' || /\bretry|\btry(?:ing)? again|\blimit|\bquota/i.test(text)
}
