/**
 * Detects whether the account of a run's agent works. A client with events shows it when the model answers. Plain text
 * proves nothing, so there the signs are changes in the workplace, or some time without a message about a limit. If a
 * client takes longer than that to report its limit, it counts as working. That mistake costs little: in each such
 * period, the number of runs that try only doubles.
 */
import { classifyFailure } from '../agents/reading/classify-failure.ts'
import type { RunObserver } from '../engine/phase/run-context.ts'
import type { RunPlan } from '../engine/phase/run-plan.ts'
import { placeNow } from '../engine/worktree/worktree-changes.ts'
import { lastPause } from '../runs/spend/agent-pauses.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Longer than slow clients take to start and to be refused once. */
const SILENT_PROOF_MS = 10_000
const LOOK_MS = 1000

export interface AccountProbe extends Pick<RunObserver, 'answered' | 'prepared' | 'printed'> {
  isAtWork(): boolean
}

interface Trial {
  /** Other runs wait for the result of this one. */
  isTrying: boolean
  /** Called once an agent's account has shown that it works. */
  prove: (agent: string) => void
}

export function openAccountProbe(
  ws: Workspace,
  { worker: { agent, settings }, place: { path } }: RunPlan,
  { isTrying, prove }: Trial,
): AccountProbe {
  const began = performance.now()
  const lookAtPlace = () => (path === null ? null : placeNow(ws.repo, path))
  let before: string | null = null
  let looked = began
  let isDoubted = lastPause(ws, { agent, model: settings.model }) !== null
  const hasWorked = (): boolean => {
    if (before === null || performance.now() - looked < LOOK_MS) return false
    looked = performance.now()
    const now = lookAtPlace()
    return now !== null && now !== before
  }
  const isText = isTrying && !agent.speaksEvents
  return {
    answered: (answering) => {
      if (answering.speaksEvents) prove(answering.name)
    },
    prepared: () => {
      if (isText) before ??= lookAtPlace()
    },
    printed: (line) => {
      if (isText && !isDoubted) isDoubted = speaksOfLimits(line)
    },
    isAtWork: onceATurn(() => {
      if (!isText) return false
      if (!hasWorked()) return !isDoubted && performance.now() - began > SILENT_PROOF_MS
      prove(agent.name)
      return true
    }),
  }
}

/**
 * One answer for all tasks that are chosen together. Otherwise the time may be over between two of them, and the later
 * task starts before the earlier one.
 */
function onceATurn(ask: () => boolean): () => boolean {
  let answer: boolean | null = null
  return () => {
    if (answer !== null) return answer
    answer = ask()
    queueMicrotask(() => {
      answer = null
    })
    return answer
  }
}

const LONGEST = 1000

/** This does not prove a limit: an agent may be writing a rate limiter. But waiting for another sign costs nothing. */
function speaksOfLimits(line: string): boolean {
  const text = line.slice(0, LONGEST)
  return classifyFailure(text) !== 'other' || /\bretry|\btry(?:ing)? again|\blimit|\bquota/i.test(text)
}
