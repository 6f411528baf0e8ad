import { timeFactory } from './measure-engine.ts'
import type { Place } from './place.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, milliseconds, times } from './table.ts'

const FEW_FILES = 150
const MANY_FILES = 50_000
const MOST_MORE_MS = 60

/** What a box costs each task: the same tasks in a row, with and without one. */
export function measureIsolation(place: Place, rounds: number, isQuick: boolean): Row[] {
  const few = compare(place, { files: FEW_FILES, tasks: 20, rounds: Math.max(3, rounds) })
  return isQuick ? few : [...few, ...compare(place, { files: MANY_FILES, tasks: 4, rounds: Math.min(3, rounds) })]
}

interface Comparison {
  files: number
  tasks: number
  rounds: number
}

function compare(place: Place, { files, tasks, rounds }: Comparison): Row[] {
  const found = { off: [] as number[], auto: [] as number[] }
  const take = (isolation: 'off' | 'auto') =>
    found[isolation].push(timeFactory(place, { name: 'isolation', tasks, seconds: 0, files, isolation }) / tasks)
  for (let round = 0; round < rounds; round++)
    for (const isolation of round % 2 === 0 ? (['off', 'auto'] as const) : (['auto', 'off'] as const)) take(isolation)
  const [bare, boxed] = [summarize(found.off).median, summarize(found.auto).median]
  const more = boxed - bare
  const limit = files === FEW_FILES ? { target: `≤ ${MOST_MORE_MS} ms more`, reached: more <= MOST_MORE_MS } : NO_TARGET
  const what = `gza work, each of ${count(tasks)} tasks, ${count(files)} files`
  return [
    {
      ...{ what: `${what}, in a box`, tasks, ...measured(found.auto), ...limit },
      ratio: `${milliseconds(more)} more, ${times(boxed / bare)}`,
    },
    { what: `${what}, without a box`, tasks, ...measured(found.off), ...NO_TARGET },
  ]
}
