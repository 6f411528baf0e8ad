import type { Run } from '../task/task.ts'

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
  cost_usd: number
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
    turns: sum((run) => amount(run.turns)),
  }
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
