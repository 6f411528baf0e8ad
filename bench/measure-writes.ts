import { rmSync } from 'node:fs'
import { countLoose, type Loose } from './count-loose.ts'
import { copyLedger, importOf, type Ledger, writeLines } from './ledgers.ts'
import type { Peer } from './peers.ts'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly, timeOnce, timeWriters } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, megabytes, times } from './table.ts'

/** A whole file in one commit, each time into a new repository, beside a command that reads one task. `median` is in ms. */
export function measureImport(place: Place, tasks: number, rounds: number): { row: Row; median: number } {
  const file = writeLines(place, tasks, 'used')
  const took: number[] = []
  const reading: number[] = []
  for (let round = 0; round < rounds; round++) {
    const dir = makeRepo(place, `import-${round}`)
    took.push(timeOnce(importOf(place, dir, file)))
    for (let read = 0; read < READS; read++)
      reading.push(timeOnce({ argv: [place.gza, 'next'], cwd: dir, env: place.env }))
    rmSync(dir, { recursive: true })
  }
  const { median } = summarize(took)
  const ratio = median / summarize(reading).median
  const row = {
    what: 'gza import, one commit',
    tasks,
    ...measured(took),
    ratio: `${times(ratio)} next, ${((median / tasks) * 1000).toFixed(0)} µs a task`,
    target: `≤ ${MOST_OF_IMPORT} × next`,
    reached: ratio <= MOST_OF_IMPORT,
  }
  return { row, median }
}

const READS = 3
const MOST_OF_IMPORT = 100

const WRITERS = 8
const WRITES_EACH = 25

/** The most that eight writers may take, beside what 200 reads and 200 moves of a ref take in the same way. */
const MOST_BESIDE_FLOOR = 1.3

/** Eight writers at once, each adding 25 tasks one after another: gza's, then the others, and so on. */
export async function measureWriters(
  place: Place,
  ledger: Ledger,
  peer: Peer | undefined,
  rounds: number,
): Promise<Row[]> {
  const ours: number[] = []
  const floor: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await timeOurWriters(place, ledger))
    floor.push(await timeFloor(place, ledger))
    if (peer) theirs.push(await timePeersWriters(peer, ledger.tasks))
  }
  const { tasks } = ledger
  const what = `${WRITERS} × ${WRITES_EACH}`
  const row = (name: string, values: readonly number[]) => ({ what: name, tasks, ...measured(values), ...NO_TARGET })
  const besideFloor = judge(ours, floor, 'next and update-ref', MOST_BESIDE_FLOOR)
  const rows = [
    { ...row(`gza, ${what} adds at once`, ours), ...besideFloor },
    row(`gza next and git update-ref, ${what} at once`, floor),
  ]
  if (!peer) return rows
  const besidePeer = judge(ours, theirs, peer.name, tasks <= 10 ? 4 : 1)
  return [
    ...rows,
    { ...row(`gza, ${what} adds at once, beside ${peer.name}`, ours), ...besidePeer },
    row(`${peer.name}, ${what} adds at once`, theirs),
  ]
}

function judge(ours: readonly number[], others: readonly number[], name: string, most: number) {
  const ratio = summarize(ours).median / summarize(others).median
  return { ratio: `${times(ratio)} ${name}`, target: `≤ ${most} × ${name}`, reached: ratio <= most }
}

async function timeOurWriters(place: Place, ledger: Ledger): Promise<number> {
  const { dir } = copyLedger(place, ledger, 'writers')
  const call = (...args: string[]): Probe => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  const elapsed = await timeWriters(writersOf(call('add', 'One more task')))
  assertAllThere(runQuietly(call('export', '--jsonl')), ledger.tasks)
  rmSync(dir, { recursive: true })
  return elapsed
}

/** What no writer can do without: a start that reads the index, and a git that moves a ref. Each has a ref of its own. */
async function timeFloor(place: Place, ledger: Ledger): Promise<number> {
  const { dir } = copyLedger(place, ledger, 'floor')
  const next: Probe = { argv: [place.gza, 'next'], cwd: dir, env: place.env }
  const move = (writer: number, at: number): Probe => {
    const to = at % 2 === 0 ? 'HEAD' : 'refs/tasks/main'
    const argv = ['git', 'update-ref', '--create-reflog', '-m', 'move', `refs/tasks-${writer}/main`, to]
    return { argv, cwd: dir, env: place.env }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    Array.from({ length: WRITES_EACH }, (_, at) => [next, move(writer, at)]).flat(),
  )
  const elapsed = await timeWriters(writers)
  rmSync(dir, { recursive: true })
  return elapsed
}

async function timePeersWriters(peer: Peer, tasks: number): Promise<number> {
  const { add } = peer.fill('peers-writers', tasks)
  if (!add) throw new Error(`${peer.name} adds nothing`)
  const elapsed = await timeWriters(writersOf(add))
  rmSync(add.cwd, { recursive: true })
  return elapsed
}

function writersOf(add: Probe): Probe[][] {
  return Array.from({ length: WRITERS }, () => Array.from({ length: WRITES_EACH }, () => add))
}

function assertAllThere(lines: string, before: number): void {
  const there = lines.split('\n').filter(Boolean).length
  const expected = before + WRITERS * WRITES_EACH
  if (there !== expected) throw new Error(`${expected} tasks should be there, and ${there} are`)
}

type Writes = 'adds' | 'notes all over'

/**
 * What single writes leave behind in the object store until git packs it, beside the same writes with git's own way of
 * writing objects.
 */
export function measureLoose(place: Place, ledger: Ledger, kind: Writes, writes: number): Row {
  const ours = looseAfter(place, ledger, kind, { writes, byGit: false })
  const gits = looseAfter(place, ledger, kind, { writes, byGit: true })
  const ratio = ours.objects / gits.objects
  return {
    what: `loose objects, ${count(writes)} ${kind}`,
    tasks: ledger.tasks,
    value: `${megabytes(ours.onDisk)} on disk`,
    spread: `${megabytes(ours.apparent)} apparent`,
    n: 1,
    ratio: `${(ours.objects / writes).toFixed(2)} objects a write, ${times(ratio)} git's, ${times(ours.onDisk / gits.onDisk)} on disk`,
    target: "≤ 1 × git's",
    reached: ratio <= 1 && ours.onDisk <= gits.onDisk,
  }
}

/** `byGit`: with a setting of how objects are synced, gza leaves their writing to git. */
function looseAfter(
  place: Place,
  ledger: Ledger,
  kind: Writes,
  { writes, byGit }: { writes: number; byGit: boolean },
): Loose {
  const { dir } = copyLedger(place, ledger, `loose-${kind.replaceAll(' ', '-')}-${ledger.tasks}`)
  const run = (...argv: string[]) => timeOnce({ argv, cwd: dir, env: place.env })
  if (byGit) run('git', 'config', 'core.fsync', 'default')
  const before = countLoose(dir)
  for (let write = 0; write < writes; write++) {
    const target = String(1 + ((write * 7919) % ledger.tasks))
    if (kind === 'adds') run(place.gza, 'add', `One more task, number ${write}`)
    else run(place.gza, 'note', target, `A remark, number ${write}`)
  }
  const after = countLoose(dir)
  rmSync(dir, { recursive: true })
  return {
    objects: after.objects - before.objects,
    apparent: after.apparent - before.apparent,
    onDisk: after.onDisk - before.onDisk,
  }
}
