import { lastRefusal } from '../landing/landable-branch.ts'
import type { LandAttempt, Run, Task } from '../task/task.ts'
import { lastFailure } from './run-rules.ts'

/**
 * What the next attempt must know about earlier ones, older first: that the work did not land, until it has landed, and
 * how the last run failed, if that was later. Null if there was no failure. `tipOf` returns the current commit of a
 * branch: the base may have advanced since the landing was tried, and what has landed there would cause the next
 * conflict.
 */
export function retryBriefing(
  task: Pick<Task, 'runs' | 'landings'>,
  tipOf: (base: string) => string | null,
): string | null {
  const refusal = lastRefusal(task)
  const failure = lastFailure(task)
  const isNews = failure !== null && (refusal === null || String(failure.ended_at) >= refusal.at)
  const texts = [refusal && refusalText(refusal, tipOf(refusal.base)), isNews && failure ? failureText(failure) : null]
  return texts.filter((text) => text !== null).join('\n\n') || null
}

function failureText({ attempt, reason, detail }: Run): string {
  return `Attempt ${attempt} failed: ${reason}\n${detail ?? ''}`
}

function refusalText({ base, outcome, detail = '', onto }: LandAttempt, tip: string | null): string {
  const at = String(tip ?? onto ?? base).slice(0, 12)
  const what =
    outcome === 'conflict' ? 'it conflicts with the changes there' : 'together with the changes there the checks fail'
  const then = outcome === 'conflict' ? 'resolve every conflict' : 'find out why the checks fail on it'
  return [
    `The work on this branch is done, but it could not land on ${base}: ${what}.`,
    detail,
    `Bring ${base} into this branch first (git merge ${at}), ${then}, make sure that both sides still work, and commit.`,
  ].join('\n')
}
