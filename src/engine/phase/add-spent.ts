import { roundUsd } from '../../agents/reading/round-usd.ts'
import type { PhaseReport } from './phase-report.ts'

type Usage = PhaseReport['usage']

/** Adds what earlier calls of the same phase have spent, for people and for recovery. */
export function addSpent<T extends Partial<Usage>>(spent: Usage | null, more: T): T {
  if (spent === null) return more
  const totals = Object.entries(spent).flatMap(([name, before]) => {
    const now = more[name as keyof Usage]
    return now === undefined ? [] : [[name, roundUsd(before + now)]]
  })
  return { ...more, ...Object.fromEntries(totals) }
}
