import type { Ledger } from './ledgers.ts'
import { peakMemory } from './peak-memory.ts'
import type { Place } from './place.ts'
import { measured, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes, times } from './table.ts'

const MOST = 150e6
const MOST_OF_READY = 100e6

/** Peak memory of a command, compared with the same command at 10 tasks. */
export function measureMemory(
  place: Place,
  command: string,
  [smallest, ledger]: [Ledger, Ledger],
  rounds: number,
  kind = '',
): Row {
  const peakIn = ({ dir }: Ledger) => peakMemory({ argv: [place.gza, ...command.split(' ')], cwd: dir, env: place.env })
  const few: number[] = []
  const many: number[] = []
  for (let round = 0; round < rounds; round++) {
    few.push(peakIn(smallest))
    many.push(peakIn(ledger))
  }
  const { median } = summarize(many)
  const most = command === 'ready' ? MOST_OF_READY : MOST
  return {
    what: `peak memory of gza ${command}${kind && `, ${kind}`}`,
    tasks: ledger.tasks,
    ...measured(many, megabytes),
    ratio: `${times(median / summarize(few).median)} at 10`,
    target: `< ${megabytes(most)}`,
    reached: median < most,
  }
}
