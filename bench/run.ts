import { cpus, loadavg } from 'node:os'
import { type Kind, type Ledger, makeLedger } from './ledgers.ts'
import { measureCommands } from './measure-commands.ts'
import { measureOverhead, measureUtilisation } from './measure-engine.ts'
import { measureFloods } from './measure-floods.ts'
import { measureGraph, measureGraphCommands } from './measure-graph.ts'
import { measureGuard } from './measure-guard.ts'
import { measureIsolation } from './measure-isolation.ts'
import { measureLanding } from './measure-landing.ts'
import { measureManyOpen } from './measure-many-open.ts'
import { measureMemory } from './measure-memory.ts'
import { comparePeers } from './measure-peers.ts'
import { measurePlan } from './measure-plan.ts'
import { measureRebuild } from './measure-rebuild.ts'
import { measureSearch } from './measure-search.ts'
import { measureSelection } from './measure-selection.ts'
import { measureStart } from './measure-start.ts'
import { measureSync } from './measure-sync.ts'
import { measureWeb } from './measure-web.ts'
import { measureImport, measureLoose, measureWriters } from './measure-writes.ts'
import { findPeers, type Peer } from './peers.ts'
import { openPlace, type Place } from './place.ts'
import { runQuietly } from './probe.ts'
import { type Row, renderRows } from './row.ts'

/**
 * `npm run bench`: measures speed and size of gza as ratios within one run, and compares them with the targets. `-- --quick`
 * leaves out the largest ledger and the slowest rows, and names of parts choose those rows. It fails only if a command fails (docs/bench.md).
 */
interface Plan {
  sizes: readonly number[]
  rounds: number
  peerRounds: number
  fewRounds: number
  looseWrites: number
}

const FULL: Plan = { sizes: [10, 10_000, 100_000], rounds: 61, peerRounds: 15, fewRounds: 5, looseWrites: 1000 }
const QUICK: Plan = { sizes: [10, 10_000], rounds: 11, peerRounds: 5, fewRounds: 1, looseWrites: 100 }

const isQuick = process.argv.includes('--quick')
/** The parts that were named, or none for all. */
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'))

async function bench(place: Place, plan: Plan): Promise<void> {
  const { peers, missing } = findPeers(place)
  const bed: Bed = { place, plan, peers, ...ledgersOf(place, plan) }
  describe(place, peers, missing)
  const rows: Row[] = []
  for (const { name, measure } of PARTS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    tell(name)
    rows.push(...(await measure(bed)))
  }
  const isBeside = peers.length > 0 && (chosen.length === 0 || chosen.includes('peers'))
  if (isBeside) tell('peers')
  const beside = isBeside ? await comparePeers(place, bed.besidePeers(), peers, plan.peerRounds) : ''
  console.log(`${renderRows(rows)}\n\n${beside}\n\nAt the end: ${load()}.`)
}

/** What the parts measure on. Ledgers are filled when the first part asks for them. */
interface Bed {
  place: Place
  plan: Plan
  peers: readonly Peer[]
  used(): Ledger[]
  besidePeers(): Ledger[]
  smallest(): Ledger
  largest(): Ledger
  allOpen(): Ledger
}

function ledgersOf(
  place: Place,
  { sizes }: Plan,
): Pick<Bed, 'used' | 'besidePeers' | 'smallest' | 'largest' | 'allOpen'> {
  const made = new Map<string, Ledger>()
  const ledger = (tasks: number, kind: Kind): Ledger => {
    const name = `${kind} ${tasks}`
    const found = made.get(name) ?? makeLedger(place, tasks, kind)
    made.set(name, found)
    return found
  }
  const largest = sizes.at(-1) as number
  return {
    used: () => sizes.map((tasks) => ledger(tasks, 'used')),
    besidePeers: () => [sizes[0] as number, 1000, ...sizes.slice(1)].map((tasks) => ledger(tasks, 'used')),
    smallest: () => ledger(sizes[0] as number, 'used'),
    largest: () => ledger(largest, 'used'),
    allOpen: () => ledger(largest, 'all open'),
  }
}

interface Part {
  name: string
  measure(bed: Bed): Row[] | Promise<Row[]>
}

const PARTS: readonly Part[] = [
  {
    name: 'commands',
    measure: ({ place, plan, used, allOpen }) =>
      measureCommands(place, { used: used(), allOpen: allOpen() }, plan.rounds),
  },
  {
    name: 'many-open',
    measure: ({ place, plan }) =>
      measureManyOpen(place, isQuick ? [10_000] : [10_000, 50_000], Math.max(3, plan.fewRounds)),
  },
  { name: 'start', measure: ({ place, smallest }) => measureStart(place, smallest()) },
  {
    name: 'import',
    measure: ({ place, plan }) => {
      const lines = measureImport(place, 10_000, plan.fewRounds)
      return [lines.row, measurePlan(place, 5000, { rounds: plan.fewRounds, besideMs: lines.median })]
    },
  },
  {
    name: 'graphs',
    measure: ({ place, plan, allOpen }) => [
      measureGraph(100_000, plan.rounds),
      ...measureGraphCommands(place, allOpen(), plan.fewRounds),
    ],
  },
  {
    name: 'writers',
    measure: async ({ place, plan, peers, smallest, largest }) => {
      const taskwarrior = peers.find(({ name }) => name === 'taskwarrior')
      return [
        ...(await measureWriters(place, smallest(), taskwarrior, plan.fewRounds)),
        ...(await measureWriters(place, largest(), taskwarrior, plan.fewRounds)),
      ]
    },
  },
  {
    name: 'memory',
    measure: ({ place, plan, smallest, largest, allOpen }) => [
      measureMemory(place, 'ready', [smallest(), largest()], plan.fewRounds),
      ...['ready', 'list', 'status', 'tree', 'graph', 'next', 'show 1'].map((command) =>
        measureMemory(place, command, [smallest(), allOpen()], plan.fewRounds, 'all open'),
      ),
    ],
  },
  {
    name: 'loose-objects',
    measure: ({ place, plan, smallest, largest }) => [
      measureLoose(place, smallest(), 'adds', plan.looseWrites),
      measureLoose(place, largest(), 'notes all over', plan.looseWrites),
    ],
  },
  {
    name: 'engine',
    measure: ({ place, plan }) => [
      ...measureOverhead(place, 20, plan.peerRounds),
      ...measureOverhead(place, 1, plan.peerRounds),
    ],
  },
  {
    name: 'slots',
    measure: ({ place, plan }) => {
      const rounds = Math.min(plan.fewRounds, 3)
      const eight = { slots: 8, tasks: 160, seconds: 1, rounds }
      return [
        measureUtilisation(place, eight),
        measureUtilisation(place, { ...eight, isolation: 'auto' }),
        measureUtilisation(place, { slots: 20, tasks: 120, seconds: 5, rounds }),
      ]
    },
  },
  { name: 'isolation', measure: ({ place, plan }) => measureIsolation(place, plan.fewRounds, isQuick) },
  { name: 'landing', measure: ({ place, plan }) => measureLanding(place, 40, plan.fewRounds) },
  { name: 'guard', measure: ({ place, plan }) => measureGuard(place, plan.peerRounds) },
  { name: 'floods', measure: ({ place, plan }) => measureFloods(place, plan.fewRounds) },
  { name: 'selection', measure: async ({ place, plan }) => [await measureSelection(place, 10_000, plan.rounds)] },
  {
    name: 'searches',
    measure: ({ place, plan, largest }) => measureSearch(place, largest(), plan.peerRounds, plan.fewRounds),
  },
  { name: 'web', measure: ({ place, plan }) => measureWeb(place, plan.fewRounds) },
  { name: 'rebuild', measure: ({ place, plan, largest }) => measureRebuild(place, largest(), plan.fewRounds) },
  { name: 'sync', measure: ({ place, plan }) => measureSync(place, plan.fewRounds, isQuick) },
]

/** The load of the machine: with more load than cores, ratios of short and long commands are distorted. */
function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`
}

/** This takes minutes: progress goes to stderr, and only the table goes to stdout. */
function tell(step: string): void {
  console.error(`… ${step}`)
}

function describe(place: Place, peers: readonly Peer[], missing: readonly string[]): void {
  const version = (argv: string[]) => runQuietly({ argv, cwd: place.root, env: place.env }).trim()
  const others = peers.map(({ name, version }) => `${name} ${version}`)
  const programs = [version([place.gza, '--version']), version(['git', '--version']), ...others]
  console.log(`${programs.join(', ')}; ${process.platform}, ${cpus().length} cores, ${load()}\n`)
  for (const sentence of missing) console.log(`${sentence}\n`)
}

function assertKnown(names: readonly string[]): void {
  const known = [...PARTS.map(({ name }) => name), 'peers']
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}`)
}

assertKnown(chosen)
const place = openPlace()
process.on('exit', place.remove)
process.on('SIGINT', () => process.exit(130))
await bench(place, isQuick ? QUICK : FULL)
