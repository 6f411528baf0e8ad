import { importTasks, isolate, makeFactory, workOn } from './factory.ts'
import { assertAllDone, remove, timeFactory } from './measure-engine.ts'
import type { Place } from './place.ts'
import { timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, milliseconds, times } from './table.ts'

const FEW_FILES = 150
const MANY_FILES = 50_000
const MOST_MORE_MS = 60

/** What a box costs each task: the same tasks in a row, with and without one. */
export function measureIsolation(place: Place, rounds: number, isQuick: boolean): Row[] {
  const few = compare(place, { files: FEW_FILES, tasks: 20, rounds: Math.max(3, rounds) }, inNewFactories)
  if (isQuick) return few
  return [...few, ...compare(place, { files: MANY_FILES, tasks: 3, rounds: Math.min(3, rounds) }, inOneFactory)]
}

type Isolation = 'off' | 'auto'

interface Comparison {
  files: number
  tasks: number
  rounds: number
}

/** Times `gza work` on fresh tasks. */
interface Site {
  time(isolation: Isolation): number
  remove(): void
}

function inNewFactories(place: Place, { files, tasks }: Comparison): Site {
  const plan = { name: 'isolation', tasks, seconds: 0, files }
  return { time: (isolation) => timeFactory(place, { ...plan, isolation }), remove: () => {} }
}

/** A repository of this size takes longer to make than what is measured. Each round adds the same number of tasks. */
function inOneFactory(place: Place, { files, tasks }: Comparison): Site {
  const factory = makeFactory(place, { name: 'isolation', tasks, seconds: 0, files })
  let done = 0
  const time = (isolation: Isolation): number => {
    isolate(factory, isolation)
    if (done > 0) importTasks(place, factory, tasks)
    const elapsed = timeOnce(workOn(place, factory, '--all', '--workers', '1'))
    done += tasks
    assertAllDone(place, factory, done)
    return elapsed
  }
  // The first time warms the caches.
  time('off')
  return { time, remove: () => remove(factory) }
}

function compare(place: Place, plan: Comparison, open: (place: Place, plan: Comparison) => Site): Row[] {
  const { files, tasks, rounds } = plan
  const site = open(place, plan)
  const found = { off: [] as number[], auto: [] as number[] }
  const take = (isolation: Isolation) => found[isolation].push(site.time(isolation) / tasks)
  for (let round = 0; round < rounds; round++)
    for (const isolation of round % 2 === 0 ? (['off', 'auto'] as const) : (['auto', 'off'] as const)) take(isolation)
  site.remove()
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
