import { copyLedger, type Ledger } from './ledgers.ts'
import type { Place } from './place.ts'
import { type Probe, runQuietly, timeInTurns } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { times } from './table.ts'

interface Command {
  name: string
  /** At 10 tasks at most this multiple of another command. */
  atTen: { most: number; beside: typeof GIT | typeof NEXT }
  /** At more tasks this multiple of the same command at 10. */
  growth: Record<number, number>
  probe(place: Place, ledger: Ledger): Probe
}

const GIT = 'git rev-parse HEAD'
const NEXT = 'gza next'
const READING: Pick<Command, 'atTen' | 'growth'> = {
  atTen: { most: 12, beside: GIT },
  growth: { 10000: 1.5, 100000: 2 },
}
const COMMANDS: readonly Command[] = [
  { name: 'gza ready', ...READING, probe: (place, { dir }) => call(place, dir, 'ready') },
  { name: NEXT, ...READING, probe: (place, { dir }) => call(place, dir, 'next') },
  { name: 'gza show, by number', ...READING, probe: (place, { dir, tasks }) => call(place, dir, 'show', `${tasks}`) },
  {
    name: 'gza show, by id',
    ...READING,
    probe: (place, ledger) => call(place, ledger.dir, 'show', lastId(place, ledger)),
  },
  {
    name: 'gza add',
    atTen: { most: 1.6, beside: NEXT },
    growth: { 10000: 1.5, 100000: 1.5 },
    probe: (place, ledger) =>
      call(place, copyLedger(place, ledger, `added-to-${ledger.tasks}`).dir, 'add', 'One more task'),
  },
]

export interface Ledgers {
  used: readonly Ledger[]
  allOpen: Ledger
}

/** Single commands on ledgers of each size, alternating with `git rev-parse HEAD`. */
export function measureCommands(place: Place, { used, allOpen }: Ledgers, rounds: number): Row[] {
  const probes: Record<string, Probe> = {
    [GIT]: { argv: GIT.split(' '), cwd: allOpen.dir, env: place.env },
    [START]: call(place, allOpen.dir, '--version'),
    [ALL_OPEN]: call(place, allOpen.dir, 'ready'),
  }
  for (const command of COMMANDS) {
    for (const ledger of used) probes[keyOf(command, ledger.tasks)] = command.probe(place, ledger)
  }
  const all = timeInTurns(probes, rounds)
  const sizes = used.map(({ tasks }) => tasks)
  return [...floorRows(all), ...COMMANDS.flatMap((command) => commandRows(all, command, sizes)), openRow(all, allOpen)]
}

const START = 'gza --version'
const ALL_OPEN = 'gza ready, all open'
const READY_AT_TEN = 'gza ready 10'

type Times = Record<string, number[]>

function call(place: Place, dir: string, ...args: string[]): Probe {
  return { argv: [place.gza, ...args], cwd: dir, env: place.env }
}

function lastId(place: Place, { dir, tasks }: Ledger): string {
  return JSON.parse(runQuietly(call(place, dir, 'show', `${tasks}`, '--json'))).id
}

function keyOf(command: Command, tasks: number): string {
  return `${command.name} ${tasks}`
}

function medianOf(all: Times, key: string): number {
  return summarize(all[key] ?? []).median
}

function floorRows(all: Times): Row[] {
  return [GIT, START].map((what) => {
    const ratio = `${times(medianOf(all, what) / medianOf(all, GIT))} git`
    return { what, tasks: null, ...measured(all[what] ?? []), ...NO_TARGET, ratio }
  })
}

function commandRows(all: Times, command: Command, sizes: readonly number[]): Row[] {
  return sizes.map((tasks) => {
    const key = keyOf(command, tasks)
    const judged = tasks === 10 ? judgeStart(all, command) : judgeGrowth(all, command, tasks)
    return { what: command.name, tasks, ...measured(all[key] ?? []), ...judged }
  })
}

function judgeStart(all: Times, command: Command) {
  const { most, beside } = command.atTen
  const [key, name] = beside === GIT ? [GIT, 'git'] : [`${NEXT} 10`, 'next']
  const ratio = medianOf(all, keyOf(command, 10)) / medianOf(all, key)
  return { ratio: `${times(ratio)} ${name}`, target: `≤ ${most} × ${name}`, reached: ratio <= most }
}

function judgeGrowth(all: Times, command: Command, tasks: number) {
  const ratio = medianOf(all, keyOf(command, tasks)) / medianOf(all, keyOf(command, 10))
  const most = command.growth[tasks]
  if (most === undefined) throw new Error(`No target for ${tasks} tasks`)
  return { ratio: `${times(ratio)} at 10`, target: `< ${most} × at 10`, reached: ratio < most }
}

/** Its time grows with its output. It has no target, but such ledgers exist. */
function openRow(all: Times, { tasks }: Ledger): Row {
  const ratio = `${times(medianOf(all, ALL_OPEN) / medianOf(all, READY_AT_TEN))} at 10`
  return { what: ALL_OPEN, tasks, ...measured(all[ALL_OPEN] ?? []), ...NO_TARGET, ratio }
}
