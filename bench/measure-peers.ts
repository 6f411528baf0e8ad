import { rmSync } from 'node:fs'
import { copyLedger, type Ledger } from './ledgers.ts'
import { PEER_COMMANDS, type Peer, type PeerCommand, wordOf } from './peers.ts'
import type { Place } from './place.ts'
import { type Probe, timeInTurns, timeWriters } from './probe.ts'
import { summarize } from './statistics.ts'
import { count, milliseconds, renderTable, times } from './table.ts'

/** A command that takes longer is not measured. */
const MOST_MS = 60_000
const WRITERS = 8
const WRITES_EACH = 5

type Store = Record<PeerCommand, Probe | null>

/**
 * The same commands of the peers, alternating with gza's: the time of gza as a multiple of each. Then eight writers at once,
 * each with five tasks, one after another.
 */
export async function comparePeers(
  place: Place,
  ledgers: readonly Ledger[],
  peers: readonly Peer[],
  rounds: number,
): Promise<string> {
  const head = ['what', 'tasks', 'n', 'gza', ...peers.flatMap(({ name }) => [name, 'gza ÷ it'])]
  const rows: string[][] = []
  for (const ledger of ledgers)
    rows.push(...(await compareAt(place, ledger, peers, ledger.tasks === 10 ? rounds : Math.ceil(rounds / 3))))
  return renderTable(head, rows)
}

async function compareAt(place: Place, ledger: Ledger, peers: readonly Peer[], rounds: number): Promise<string[][]> {
  const size = count(ledger.tasks)
  const stores = new Map([
    ['gza', gzaStore(place, ledger)],
    ...peers.map((peer) => [peer.name, peer.fill(`${peer.name}-${ledger.tasks}`, ledger.tasks)] as const),
  ])
  const names = peers.map(({ name }) => name)
  const rows = PEER_COMMANDS.map((command) => {
    const { probes, late } = finishing(stores, command)
    const found = timeInTurns(probes, rounds)
    const medians = new Map(Object.entries(found).map(([name, values]) => [name, summarize(values).median]))
    return [command === 'add' ? 'create' : command, size, String(rounds), ...cellsOf(names, medians, late)]
  })
  const writers = await writersOf(stores)
  for (const { add } of stores.values())
    if (add !== null && add.cwd !== ledger.dir) rmSync(add.cwd, { recursive: true })
  return [...rows, [`${WRITERS} writers × ${WRITES_EACH}`, size, '1', ...cellsOf(names, writers.medians, writers.late)]]
}

/** The probes that end within a minute, and the names of those that do not. */
function finishing(stores: ReadonlyMap<string, Store>, command: PeerCommand) {
  const probes: Record<string, Probe> = {}
  const late = new Set<string>()
  for (const [name, store] of stores) {
    const probe = store[command]
    if (probe === null) continue
    if (endsInTime(probe)) probes[name] = probe
    else late.add(name)
  }
  return { probes, late }
}

function endsInTime({ argv, cwd, env }: Probe): boolean {
  const options = { cwd, env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', timeout: MOST_MS } as const
  const { exitCode, signalCode } = Bun.spawnSync(argv, options)
  if (signalCode == null && exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}`)
  return signalCode == null
}

/** Only of those whose single write is so fast that all of them end within a minute. */
async function writersOf(stores: ReadonlyMap<string, Store>) {
  const medians = new Map<string, number>()
  const late = new Set<string>()
  for (const [name, { add }] of stores) {
    if (add === null) continue
    const start = performance.now()
    const isFast = endsInTime(add) && (performance.now() - start) * WRITERS * WRITES_EACH < MOST_MS
    if (!isFast) late.add(name)
    else medians.set(name, await timeWriters(Array.from({ length: WRITERS }, () => Array(WRITES_EACH).fill(add))))
  }
  return { medians, late }
}

function cellsOf(names: readonly string[], medians: ReadonlyMap<string, number>, late: ReadonlySet<string>): string[] {
  const gza = medians.get('gza') ?? Number.NaN
  const cells = names.flatMap((name) => {
    const median = medians.get(name)
    if (median === undefined) return [late.has(name) ? '> 1 min' : '–', '']
    return [milliseconds(median), times(gza / median)]
  })
  return [milliseconds(gza), ...cells]
}

function gzaStore(place: Place, ledger: Ledger): Store {
  const call = (dir: string, ...args: string[]): Probe => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  return {
    ready: call(ledger.dir, 'ready'),
    list: call(ledger.dir, 'list'),
    show: call(ledger.dir, 'show', String(ledger.tasks)),
    search: call(ledger.dir, 'search', wordOf(ledger.tasks)),
    add: call(copyLedger(place, ledger, `beside-peers-${ledger.tasks}`).dir, 'add', 'One more task'),
  }
}
