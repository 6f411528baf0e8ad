import type { Task } from '../../core/task/task.ts'
import { isConflict } from '../../engine/worktree/merge-in.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { startPoint } from '../../runs/start-point.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'

/**
 * True if the task would start from commits that conflict while some work may still land. That work lands, or goes back
 * to its agent, which resolves the conflict. Starting now would fail and need a person.
 */
export function mustWaitForLanding({ ws, services, slots }: WorkSession, task: Task): boolean {
  // A run that is being recorded may already be finished in the ledger, before the lander knows of it.
  const isRecorded = [...slots.running.values()].some(({ isStored }) => isStored)
  if (services.lander.undecided.size === 0 && !isRecorded) return false
  const { from, merge } = startPoint(readLedger(ws), task)
  const starts = [from, ...merge]
  return starts.some((one, at) => starts.slice(at + 1).some((other) => isKnownConflict(ws.repo, one, other)))
}

/** A cache of compared pairs of commits. Whether two commits conflict never changes. */
const compared = new WeakMap<Repo, Map<string, boolean>>()

function isKnownConflict(repo: Repo, one: string, other: string): boolean {
  const pair = `${one} ${other}`
  const known = compared.get(repo) ?? new Map<string, boolean>()
  const answer = known.get(pair) ?? isConflict(repo, one, other)
  compared.set(repo, known.set(pair, answer))
  return answer
}
