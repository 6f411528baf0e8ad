import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { noteTask } from '../src/tasks/note-task.ts'
import { useWorkspace } from '../src/workspace/workspace.ts'
import { importOf, writeLines } from './ledgers.ts'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly, timeInTurns, timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, times } from './table.ts'

const LEDGERS = 150
const MOST_FIRST = 1.5
const MOST_GROWTH = 2

/** Exchanges with a bare repository on the same disk: nothing new, everything new, and a few tasks on both sides. */
export async function measureSync(place: Place, rounds: number, isQuick: boolean): Promise<Row[]> {
  const [tasks, commits] = isQuick ? [10_000, 500] : [50_000, 5000]
  return [
    ...measureNothingNew(place, Math.max(11, rounds)),
    ...measureFirst(place, { tasks, commits: 1, rounds, origin: await makeOrigin(place, tasks, 1) }),
    ...measureFirst(place, { tasks, commits, rounds, origin: await makeOrigin(place, tasks, commits) }),
    ...(await measureJoin(place, [1000, tasks], Math.max(3, rounds))),
  ]
}

function measureNothingNew(place: Place, rounds: number): Row[] {
  const origin = makeBare(place, 'many-ledgers.git')
  const clone = cloneOf(place, origin, 'many-ledgers')
  gza(place, clone, 'add', 'A task')
  for (let ledger = 1; ledger < LEDGERS; ledger++)
    gza(place, clone, 'add', 'A task', '--branch', `l${ledger}`, '--create')
  gza(place, clone, 'sync')
  const call = (...argv: string[]): Probe => ({ argv, cwd: clone, env: place.env })
  const probes = {
    sync: call(place.gza, 'sync'),
    next: call(place.gza, 'next'),
    ask: call('git', 'ls-remote', 'origin'),
  }
  const found = timeInTurns(probes, rounds)
  const most = summarize(found.next).median + 2 * summarize(found.ask).median
  const ratio = summarize(found.sync).median / most
  const judged = {
    ratio: `${times(ratio)} next + 2 ls-remote`,
    target: '≤ 1 × next + 2 ls-remote',
    reached: ratio <= 1,
  }
  return [
    { what: `gza sync, nothing new, ${LEDGERS} ledgers`, tasks: LEDGERS, ...measured(found.sync), ...judged },
    { what: `git ls-remote, ${LEDGERS} ledgers`, tasks: LEDGERS, ...measured(found.ask), ...NO_TARGET },
    { what: `gza next, ${LEDGERS} ledgers`, tasks: LEDGERS, ...measured(found.next), ...NO_TARGET },
  ]
}

interface First {
  tasks: number
  commits: number
  rounds: number
  origin: string
}

/** A new clone: `gza sync` beside `git fetch` of the same ref, and a first command that makes the index. */
function measureFirst(place: Place, { tasks, commits, rounds, origin }: First): Row[] {
  const [ours, bare] = [[] as number[], [] as number[]]
  for (let round = 0; round < rounds; round++) {
    const synced = cloneOf(place, origin, 'synced')
    ours.push(timeOnce({ argv: [place.gza, 'sync'], cwd: synced, env: place.env }))
    const fetched = cloneOf(place, origin, 'fetched')
    const fetch = ['git', 'fetch', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*']
    const time = timeOnce({ argv: fetch, cwd: fetched, env: place.env })
    bare.push(time + timeOnce({ argv: [place.gza, 'ready'], cwd: fetched, env: place.env }))
    for (const dir of [synced, fetched]) rmSync(dir, { recursive: true })
  }
  const ratio = summarize(ours).median / summarize(bare).median
  const judged = { ratio: `${times(ratio)} bare`, target: `≤ ${MOST_FIRST} × bare`, reached: ratio <= MOST_FIRST }
  const history = commits === 1 ? 'one commit' : `${count(commits)} commits`
  return [
    { what: `gza sync, the first, ${history}`, tasks, ...measured(ours), ...judged },
    { what: `git fetch and the index, ${history}`, tasks, ...measured(bare), ...NO_TARGET },
  ]
}

/** Two clones that each add five tasks and note five others: the second to sync joins them. */
async function measureJoin(place: Place, sizes: [number, number], rounds: number): Promise<Row[]> {
  const took = [await timeJoins(place, sizes[0], rounds), await timeJoins(place, sizes[1], rounds)]
  const [few, many] = took.map((values) => summarize(values).median) as [number, number]
  const judged = {
    ratio: `${times(many / few)} at ${count(sizes[0])}`,
    target: `≤ ${MOST_GROWTH} × at ${count(sizes[0])}`,
    reached: many / few <= MOST_GROWTH,
  }
  return sizes.map((tasks, at) => ({
    what: 'gza sync, 10 tasks differ on each side',
    tasks,
    ...measured(took[at] ?? []),
    ...(at === 0 ? NO_TARGET : judged),
  }))
}

async function timeJoins(place: Place, tasks: number, rounds: number): Promise<number[]> {
  const origin = await makeOrigin(place, tasks, 2)
  const [ann, ben] = [cloneOf(place, origin, `ann-${tasks}`), cloneOf(place, origin, `ben-${tasks}`)]
  for (const dir of [ann, ben]) gza(place, dir, 'sync')
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [who, dir] of [ann, ben].entries()) {
      for (let each = 0; each < 5; each++) {
        gza(place, dir, 'add', `Task ${round}.${each} of ${who}`)
        gza(place, dir, 'note', String(1 + ((round * 131 + each * 17 + who * 61) % tasks)), 'A remark')
      }
    }
    gza(place, ann, 'sync')
    took.push(timeOnce({ argv: [place.gza, 'sync'], cwd: ben, env: place.env }))
    gza(place, ann, 'sync')
  }
  return took
}

/** A bare repository with a ledger of so many tasks, and so many commits in its history. */
async function makeOrigin(place: Place, tasks: number, commits: number): Promise<string> {
  const name = `origin-${tasks}-${commits}.git`
  const origin = makeBare(place, name)
  const dir = cloneOf(place, origin, `${name}-filled`)
  runQuietly(importOf(place, dir, writeLines(place, tasks, 'used')))
  if (commits > 1) await addNotes(place, dir, { tasks, commits: commits - 1 })
  gza(place, dir, 'sync')
  runQuietly({ argv: ['git', 'gc', '--quiet'], cwd: origin, env: place.env })
  rmSync(dir, { recursive: true })
  return origin
}

/** In this process: as many calls of the executable would take minutes. */
async function addNotes(place: Place, cwd: string, { tasks, commits }: { tasks: number; commits: number }) {
  await useWorkspace({ cwd, env: place.env, runsOnce: true }, (ws) => {
    for (let note = 0; note < commits; note++)
      noteTask(ws, String(1 + ((note * 7919) % tasks)), `A remark, number ${note}`)
  })
}

function makeBare(place: Place, name: string): string {
  const source = makeRepo(place, `${name}-source`)
  const dir = join(place.root, name)
  runQuietly({ argv: ['git', 'clone', '--quiet', '--bare', source, dir], cwd: place.root, env: place.env })
  return dir
}

function cloneOf(place: Place, origin: string, name: string): string {
  const dir = join(place.root, name)
  runQuietly({ argv: ['git', 'clone', '--quiet', origin, dir], cwd: place.root, env: place.env })
  return dir
}

function gza(place: Place, cwd: string, ...args: string[]): void {
  runQuietly({ argv: [place.gza, ...args], cwd, env: place.env })
}
