import { join } from 'node:path'
import { compile } from '../scripts/compile.ts'
import { copyLedger, type Ledger } from './ledgers.ts'
import type { Place } from './place.ts'
import type { Probe } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { milliseconds, times } from './table.ts'

const ROUNDS = 40
const EMPTY = 'empty program'
const READ_ROW = 'program that opens the index and reads a row'
const NEXT = 'gza next'
const ADD = 'gza add'

/** The minimum for a call: CPU time (user and system, best of 40), compared with two programs compiled in the same way. */
export async function measureStart(place: Place, ledger: Ledger): Promise<Row[]> {
  const probes: Record<string, Probe> = {
    [EMPTY]: await reference(place, ledger, 'empty'),
    [READ_ROW]: await reference(place, ledger, 'read-row', join(ledger.dir, '.git/gza/state.db')),
    'gza --version': call(place, ledger, '--version'),
    [NEXT]: call(place, ledger, 'next'),
    'gza ready': call(place, ledger, 'ready'),
    'gza show': call(place, ledger, 'show', `${ledger.tasks}`),
    [ADD]: call(place, copyLedger(place, ledger, 'start-added-to'), 'add', 'One more task'),
  }
  const all = cpuTimes(probes)
  return Object.keys(probes).map((what) => {
    const values = all[what] ?? []
    const isReference = what === EMPTY || what === READ_ROW
    const row = { what: `${what}, CPU time, best`, tasks: ledger.tasks, ...measured(values) }
    return { ...row, value: milliseconds(Math.min(...values)), ...(isReference ? NO_TARGET : judge(all, what)) }
  })
}

interface Limit {
  beside: string
  as: string
  most: number
}

/** A write is compared with a read; its git process is included. */
const LIMITS: Record<string, Limit> = {
  'gza --version': { beside: EMPTY, as: 'empty', most: 2 },
  [ADD]: { beside: NEXT, as: 'next', most: 1.6 },
}
const READING: Limit = { beside: READ_ROW, as: 'row', most: 1.7 }

function judge(all: Record<string, number[]>, what: string) {
  const { beside, as, most } = LIMITS[what] ?? READING
  const best = (name: string): number => Math.min(...(all[name] ?? []))
  const ratio = best(what) / best(beside)
  return { ratio: `${times(ratio)} ${as}`, target: `≤ ${most} × ${as}`, reached: ratio <= most }
}

async function reference(place: Place, { dir }: Ledger, name: string, ...args: string[]): Promise<Probe> {
  const outfile = join(place.root, name)
  await compile({ source: join(import.meta.dir, 'references', `${name}.ts`), outfile })
  return { argv: [outfile, ...args], cwd: dir, env: place.env }
}

function call({ gza, env }: Place, { dir }: Ledger, ...args: string[]): Probe {
  return { argv: [gza, ...args], cwd: dir, env }
}

/** The programs alternate, as in all measurements here. The first round warms the caches and is not counted. */
function cpuTimes(probes: Record<string, Probe>): Record<string, number[]> {
  const names = Object.keys(probes)
  const all: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const spent = cpuTime(probes[name] as Probe)
      if (round > 0) all[name]?.push(spent)
    }
  }
  return all
}

/** User and system time of one run, in milliseconds. */
function cpuTime({ argv, cwd, env }: Probe): number {
  const child = Bun.spawnSync(argv, { cwd, env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  if (child.exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${child.exitCode}`)
  return Number(child.resourceUsage.cpuTime.total) / 1000
}
