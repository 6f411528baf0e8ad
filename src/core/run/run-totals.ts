import type { Run } from '../task/task.ts'
import { isCostUnknown } from './run-rules.ts'

/** The sums over some runs. */
export interface RunTotals {
  /** Each run is one attempt, whatever its outcome. */
  attempts: number
  completed: number
  failed: number
  interrupted: number
  /** From start to end, of runs that have ended. */
  seconds: number
  tokens_in: number
  tokens_out: number
  /** What the clients have reported. */
  cost_usd: number
  /** Those whose agent has worked without reporting a cost. */
  attempts_without_cost: number
  /** How often the model was called, if the client reports it. */
  turns: number
}

export function totalRuns(runs: readonly Run[]): RunTotals {
  const having = (outcome: string) => runs.filter((run) => run.outcome === outcome).length
  const sum = (read: (run: Run) => number) => runs.reduce((total, run) => total + read(run), 0)
  return {
    attempts: runs.length,
    completed: having('completed'),
    failed: having('failed'),
    interrupted: having('interrupted'),
    seconds: sum(secondsOf),
    tokens_in: sum((run) => amount(run.tokens_in)),
    tokens_out: sum((run) => amount(run.tokens_out)),
    // Sums of binary fractions: 0.1 + 0.2 would be visible.
    cost_usd: Number(sum((run) => amount(run.cost_usd)).toFixed(6)),
    attempts_without_cost: runs.filter(lacksCost).length,
    turns: sum((run) => amount(run.turns)),
  }
}

/** While it runs, its cost is not known yet. A run that ends before its agent is called records no cost at all. */
function lacksCost({ ended_at, cost_usd, tokens_out, reason }: Run): boolean {
  if (ended_at !== undefined && cost_usd === undefined) return false
  const spent = { costUsd: amount(cost_usd), tokensOut: amount(tokens_out) }
  return isCostUnknown({ ...spent, reason: reason === undefined ? undefined : String(reason) })
}

function secondsOf({ started_at, ended_at }: Run): number {
  return ended_at === undefined ? 0 : amount((Date.parse(ended_at) - Date.parse(started_at)) / 1000)
}

/**
 * Facts of a run also come from other machines: a value that is not an amount counts as zero. So does 1e308, of which
 * two would be infinite.
 */
export function amount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0
}
