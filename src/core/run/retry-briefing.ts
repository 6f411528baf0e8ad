import { lastRefusal } from '../landing/landable-branch.ts'
import type { LandAttempt, Run, Task } from '../task/task.ts'
import { lastFailure } from './run-rules.ts'

/**
 * What the next attempt must know of those before it, older first: that the work did not land, for as long as it has not,
 * and how the last run failed, if that was after it. Null where all went well. `tipOf` is where a branch stands now: the
 * base may have gone on since the landing was tried, and what has landed there would be the next conflict.
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
  const what = outcome === 'conflict' ? 'it clashes with what is there' : 'together with what is there the checks fail'
  const then = outcome === 'conflict' ? 'resolve every conflict' : 'find out why the checks fail on it'
  return [
    `The work on this branch is done, but it could not land on ${base}: ${what}.`,
    detail,
    `Bring ${base} into this branch first (git merge ${at}), ${then}, see that both sides still work, and commit.`,
  ].join('\n')
}
