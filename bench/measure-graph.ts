import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, type Graph, indexGraph } from '../src/core/graph/indexed-graph.ts'
import { layerGraph } from '../src/core/graph/layer-graph.ts'
import { compareReady, type Ranked } from '../src/core/graph/ready-order.ts'
import { PRIORITIES } from '../src/core/task/task.ts'
import type { Ledger } from './ledgers.ts'
import { makeRepo, type Place } from './place.ts'
import { runQuietly, timeInTurns } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { times } from './table.ts'

const NEEDS = 3
const MOST_PARSES = 3

/**
 * What can start and in which order, whether there is a cycle, and the layer of each task: everything that must be known
 * about a graph before it is drawn. Measured inside the process, with all tasks in memory, beside parsing the same graph
 * from JSON.
 */
export function measureGraph(tasks: number, rounds: number): Row {
  const graph = makeGraph(tasks)
  const ranks = Array.from({ length: tasks }, (_, number): Ranked => {
    return { priority: PRIORITIES[number % 4] ?? 'low', milestone_id: `M${number % 20}`, number }
  })
  const text = JSON.stringify([...graph])
  study(graph, ranks)
  const [took, parsing] = [[] as number[], [] as number[]]
  for (let round = 0; round < rounds; round++) {
    took.push(timeOf(() => study(graph, ranks)))
    parsing.push(timeOf(() => JSON.parse(text)))
  }
  const ratio = summarize(took).median / summarize(parsing).median
  const judged = {
    ratio: `${times(ratio)} parsing it`,
    target: `≤ ${MOST_PARSES} × parsing it`,
    reached: ratio <= MOST_PARSES,
  }
  return {
    what: `ready, cycles and layers, ${NEEDS} needs a task, in the process`,
    tasks,
    ...measured(took),
    ...judged,
  }
}

function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** One traversal finds the layers and any edge that leads back. */
function study(graph: Graph, ranks: readonly Ranked[]): void {
  const indexed = indexGraph(graph)
  const { layers, isBack } = layerGraph(indexed)
  const { uids, starts, targets } = indexed
  for (let node = 0; node < uids.length; node++) {
    for (let edge = at(starts, node); edge < at(starts, node + 1); edge++)
      if (isBack(node, at(targets, edge))) throw new Error('the graph has no loop, and one is found')
  }
  const ready = ranks.filter((_, node) => layers[node] === 0).sort(compareReady)
  if (ready.length === 0) throw new Error('something should be ready')
}

/** Every task depends on three of the thousand before it; one in fifty has no dependency. */
function makeGraph(tasks: number): Map<string, string[]> {
  const uids = Array.from({ length: tasks }, (_, number) => uidOf(number))
  return new Map(uids.map((uid, number) => [uid, needsOf(number).map((needed) => uids[needed] ?? '')]))
}

function uidOf(number: number): string {
  return Bun.hash(`task ${number}`).toString(16).padStart(40, '0')
}

function needsOf(number: number): number[] {
  if (number % 50 === 0) return []
  const back = Array.from(
    { length: NEEDS },
    (_, nth) => number - 1 - ((number * 7919 + nth * 331) % Math.min(number, 1000)),
  )
  return [...new Set(back)]
}

/** The commands that draw such a graph, from the start of the process to its end. */
export function measureGraphCommands(place: Place, allOpen: Ledger, rounds: number): Row[] {
  const { tasks } = allOpen
  const dir = makeRepo(place, `needs-${tasks}`)
  const lines = Array.from({ length: tasks }, (_, number) =>
    JSON.stringify({
      id: `t${number}`,
      content: `Task ${number}`,
      after: needsOf(number).map((needed) => `t${needed}`),
    }),
  )
  const file = join(place.root, 'needs.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  runQuietly({ argv: [place.gza, 'import', file], cwd: dir, env: place.env })
  const probeOf = (dir: string, ...args: string[]) => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  const found = timeInTurns(
    {
      [BASE]: probeOf(allOpen.dir, 'ready'),
      graph: probeOf(dir, 'graph'),
      'graph --json': probeOf(dir, 'graph', '--json'),
      next: probeOf(dir, 'next'),
    },
    rounds,
  )
  const base = summarize(found[BASE]).median
  return Object.entries(found).map(([what, took]) => {
    const ratio = summarize(took).median / base
    const judged = { ratio: `${times(ratio)} ready`, target: `≤ ${MOST} × ready`, reached: ratio <= MOST }
    const kind = what === BASE ? 'gza ready, all open, no needs' : `gza ${what}, all open, ${NEEDS} needs a task`
    return { what: kind, tasks, ...measured(took), ...(what.startsWith('graph') ? judged : NO_TARGET) }
  })
}

const BASE = 'ready'
const MOST = 5
