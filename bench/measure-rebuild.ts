import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from '../scripts/compile.ts'
import type { Ledger } from './ledgers.ts'
import { peakMemory } from './peak-memory.ts'
import type { Place } from './place.ts'
import { type Probe, timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes, times } from './table.ts'

const MOST = 1.5
const MOST_MEMORY = 150e6

/**
 * The first command without an index, as after a clone, beside a program that only reads the same files, parses their lines
 * and puts them into an empty table. Both in turns.
 */
export async function measureRebuild(place: Place, { dir, tasks }: Ledger, rounds: number): Promise<Row[]> {
  const program = join(place.root, 'build-table')
  await compile({ source: join(import.meta.dir, 'references/build-table.ts'), outfile: program })
  const ready: Probe = { argv: [place.gza, 'ready'], cwd: dir, env: place.env }
  const table: Probe = { ...ready, argv: [program, 'refs/tasks/main', join(place.root, 'table.db')] }
  const forget = () => rmSync(join(dir, '.git/gza'), { recursive: true, force: true })
  const [ours, theirs, memory] = [[] as number[], [] as number[], [] as number[]]
  for (let round = 0; round < rounds; round++) {
    forget()
    ours.push(timeOnce(ready))
    theirs.push(timeOnce(table))
    forget()
    memory.push(peakMemory(ready))
  }
  const ratio = summarize(ours).median / summarize(theirs).median
  const judged = { ratio: `${times(ratio)} table`, target: `≤ ${MOST} × table`, reached: ratio <= MOST }
  const peak = { ...NO_TARGET, target: `< ${megabytes(MOST_MEMORY)}`, reached: summarize(memory).median < MOST_MEMORY }
  return [
    { what: 'gza ready, index missing', tasks, ...measured(ours), ...judged },
    { what: 'program that reads the lines into a table', tasks, ...measured(theirs), ...NO_TARGET },
    { what: 'peak memory of gza ready, index missing', tasks, ...measured(memory, megabytes), ...peak },
  ]
}
