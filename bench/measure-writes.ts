import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { countLoose } from './count-loose.ts'
import { copyLedger, importOf, type Ledger, writeLines } from './ledgers.ts'
import type { Peer } from './peers.ts'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly, timeOnce, timeWriters } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, megabytes, times } from './table.ts'

/** A whole file in one commit, each time into a new repository. */
export function measureImport(place: Place, tasks: number, rounds: number): Row {
  const file = writeLines(place, tasks, 'used')
  const took = Array.from({ length: rounds }, (_, round) => {
    const dir = makeRepo(place, `import-${round}`)
    const elapsed = timeOnce(importOf(place, dir, file))
    rmSync(dir, { recursive: true })
    return elapsed
  })
  const { median } = summarize(took)
  return {
    what: 'gza import, one commit',
    tasks,
    ...measured(took),
    ratio: `${((median / tasks) * 1000).toFixed(0)} µs a task`,
    target: '< 3 s',
    reached: median < 3000,
  }
}

/** The time of the first command without an index, as after a clone. */
export function measureRebuild(place: Place, ledger: Ledger, rounds: number): Row {
  const probe = { argv: [place.gza, 'ready'], cwd: ledger.dir, env: place.env }
  const took = Array.from({ length: rounds }, () => {
    rmSync(join(ledger.dir, '.git/gza'), { recursive: true, force: true })
    return timeOnce(probe)
  })
  return { what: 'gza ready, index missing', tasks: ledger.tasks, ...measured(took), ...NO_TARGET }
}

const WRITERS = 8
const WRITES_EACH = 25

/** Eight writers at once, each adding 25 tasks one after another: gza's, then the peer's, and so on. */
export async function measureWriters(
  place: Place,
  ledger: Ledger,
  peer: Peer | undefined,
  rounds: number,
): Promise<Row[]> {
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await timeOurWriters(place, ledger))
    if (peer) theirs.push(await timePeersWriters(peer, ledger.tasks))
  }
  const what = `${WRITERS} × ${WRITES_EACH} adds at once`
  const row = { what: `gza, ${what}`, tasks: ledger.tasks, ...measured(ours), ...NO_TARGET }
  if (!peer) return [row]
  const ratio = summarize(ours).median / summarize(theirs).median
  const judged = { ratio: `${times(ratio)} ${peer.name}`, target: `< 1 × ${peer.name}`, reached: ratio < 1 }
  const peersRow = { what: `${peer.name}, ${what}`, tasks: ledger.tasks, ...measured(theirs), ...NO_TARGET }
  return [{ ...row, ...judged }, peersRow]
}

async function timeOurWriters(place: Place, ledger: Ledger): Promise<number> {
  const { dir } = copyLedger(place, ledger, 'writers')
  const call = (...args: string[]): Probe => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  const elapsed = await timeWriters(writersOf(call('add', 'One more task')))
  assertAllThere(runQuietly(call('export', '--jsonl')), ledger.tasks)
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

/** What single writes leave behind in the object store until git packs it. */
export function measureLoose(place: Place, ledger: Ledger, kind: 'adds' | 'notes all over', writes: number): Row {
  const { dir } = copyLedger(place, ledger, `loose-${kind.replaceAll(' ', '-')}-${ledger.tasks}`)
  const before = countLoose(dir)
  for (let write = 0; write < writes; write++) {
    const target = String(1 + ((write * 7919) % ledger.tasks))
    const args =
      kind === 'adds' ? ['add', `One more task, number ${write}`] : ['note', target, `A remark, number ${write}`]
    timeOnce({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  }
  const after = countLoose(dir)
  rmSync(dir, { recursive: true })
  const onDisk = after.onDisk - before.onDisk
  return {
    what: `loose objects, ${count(writes)} ${kind}`,
    tasks: ledger.tasks,
    value: `${megabytes(onDisk)} on disk`,
    spread: `${megabytes(after.apparent - before.apparent)} apparent`,
    n: 1,
    ratio: `${((after.objects - before.objects) / writes).toFixed(2)} objects a write`,
    target: '< 25 MB',
    reached: writes === 1000 ? onDisk < 25e6 : null,
  }
}
