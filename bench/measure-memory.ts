import type { Ledger } from './ledgers.ts'
import { peakMemory } from './peak-memory.ts'
import type { Place } from './place.ts'
import { measured, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes, times } from './table.ts'

/** Peak memory of `ready`, compared with the same command at 10 tasks. */
export function measureMemory(place: Place, what: string, [smallest, ledger]: [Ledger, Ledger], rounds: number): Row {
  const peakIn = ({ dir }: Ledger) => peakMemory({ argv: [place.gza, 'ready'], cwd: dir, env: place.env })
  const few: number[] = []
  const many: number[] = []
  for (let round = 0; round < rounds; round++) {
    few.push(peakIn(smallest))
    many.push(peakIn(ledger))
  }
  const { median } = summarize(many)
  return {
    what: `peak memory of ${what}`,
    tasks: ledger.tasks,
    ...measured(many, megabytes),
    ratio: `${times(median / summarize(few).median)} at 10`,
    target: '< 100 MB',
    reached: median < 100e6,
  }
}
