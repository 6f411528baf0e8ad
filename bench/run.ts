import { cpus, loadavg } from 'node:os'
import { type Ledger, makeLedger } from './ledgers.ts'
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
import { measureSelection } from './measure-selection.ts'
import { measureStart } from './measure-start.ts'
import { measureImport, measureLoose, measureRebuild, measureWriters } from './measure-writes.ts'
import { findPeers, type Peer } from './peers.ts'
import { openPlace, type Place } from './place.ts'
import { runQuietly } from './probe.ts'
import { type Row, renderRows } from './row.ts'

/**
 * `npm run bench`: measures speed and size of gza as ratios within one run, and compares them with the targets. `-- --quick`
 * leaves out the largest ledger and the slowest rows. It fails only if a command fails (docs/bench.md).
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
const place = openPlace()
process.on('exit', place.remove)
process.on('SIGINT', () => process.exit(130))
await bench(place, isQuick ? QUICK : FULL)

async function bench(place: Place, plan: Plan): Promise<void> {
  const { peers, missing } = findPeers(place)
  describe(place, peers, missing)
  const taskwarrior = peers.find(({ name }) => name === 'taskwarrior')
  tell(`filling ledgers of ${plan.sizes.join(', ')} tasks`)
  const used = plan.sizes.map((tasks) => makeLedger(place, tasks))
  const [smallest, largest] = [used[0], used.at(-1)] as [Ledger, Ledger]
  const allOpen = makeLedger(place, largest.tasks, 'all open')
  tell('single commands')
  const rows: Row[] = measureCommands(place, { used, allOpen }, plan.rounds)
  tell('many open tasks')
  rows.push(...measureManyOpen(place, isQuick ? [10_000] : [10_000, 50_000], Math.max(3, plan.fewRounds)))
  tell('start')
  rows.push(...(await measureStart(place, smallest)))
  tell('import')
  rows.push(measureImport(place, 10_000, plan.fewRounds))
  rows.push(measurePlan(place, 5000, plan.fewRounds))
  tell('graphs')
  rows.push(measureGraph(100_000, plan.rounds))
  rows.push(...measureGraphCommands(place, largest.tasks, plan.fewRounds))
  tell('writers at once')
  rows.push(...(await measureWriters(place, smallest, taskwarrior, plan.fewRounds)))
  rows.push(...(await measureWriters(place, largest, taskwarrior, plan.fewRounds)))
  tell('memory')
  rows.push(measureMemory(place, 'gza ready', [smallest, largest], plan.fewRounds))
  rows.push(measureMemory(place, 'gza ready, all open', [smallest, allOpen], plan.fewRounds))
  tell('loose objects')
  rows.push(measureLoose(place, smallest, 'adds', plan.looseWrites))
  rows.push(measureLoose(place, largest, 'notes all over', plan.looseWrites))
  tell('the engine')
  rows.push(...measureOverhead(place, 20, plan.peerRounds), ...measureOverhead(place, 1, plan.peerRounds))
  const slots = { tasks: 160, rounds: Math.min(plan.fewRounds, 3) }
  rows.push(measureUtilisation(place, slots), measureUtilisation(place, { ...slots, isolation: 'auto' }))
  rows.push(...measureIsolation(place, plan.fewRounds, isQuick))
  rows.push(...measureLanding(place, 40, plan.fewRounds))
  rows.push(...measureGuard(place, plan.peerRounds))
  tell('floods of output')
  rows.push(...measureFloods(place, plan.fewRounds))
  rows.push(await measureSelection(place, 10_000, plan.rounds))
  tell('peers')
  const beside = peers.length === 0 ? '' : comparePeers(place, used, peers, plan.peerRounds)
  rows.push(measureRebuild(place, largest, plan.fewRounds))
  console.log(`${renderRows(rows)}\n\n${beside}\n\nAt the end: ${load()}.`)
}

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
