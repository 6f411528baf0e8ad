import type { Task } from '../../core/task/task.ts'
import { doClash } from '../../engine/worktree/workplace.ts'
import { startPoint } from '../../runs/prompt/start-point.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { WorkSession } from '../work-session.ts'

/**
 * A task that would start from work which clashes, while it is still open whether that work lands: it either lands, or
 * goes back to its agent, who mends it. To start now would only fail, and need a person.
 */
export function mustWaitForLanding({ ws, lander, clashes }: WorkSession, task: Task): boolean {
  if (lander.undecided().length === 0) return false
  const { from, merge } = startPoint(readLedger(ws), task)
  const starts = [from, ...merge]
  return starts.some((one, at) => starts.slice(at + 1).some((other) => isClash(one, other)))

  function isClash(one: string, other: string): boolean {
    const pair = `${one} ${other}`
    const known = clashes.get(pair) ?? doClash(ws.repo, one, other)
    clashes.set(pair, known)
    return known
  }
}
