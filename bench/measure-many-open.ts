import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importOf, type Ledger } from './ledgers.ts'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly } from './probe.ts'
import { measured, type Row } from './row.ts'
import { times } from './table.ts'

/** The limit for each command, as a multiple of plain `ready` on the same ledger. */
const COMMANDS: Record<string, number> = {
  'ready --json': 2.5,
  list: 2,
  'list --json': 2.5,
  status: 2,
  'status --json': 2.5,
  tree: 2,
  'tree --json': 2.5,
}
const BASE = 'ready'

/** Five times as many tasks may take a little more than five times as long. */
const MOST_GROWTH = 1.2

/** Lists of ledgers with many open tasks. CPU time is measured, because the garbage collector has its own threads. */
export function measureManyOpen(place: Place, sizes: readonly number[], rounds: number): Row[] {
  const [fewest = 0] = sizes
  const flat = cpuInTurns(place, fill(place, fewest, 'flat'), rounds)
  const trees = sizes.map((tasks) => cpuInTurns(place, fill(place, tasks, 'trees'), rounds))
  return [...rowsOf('all open', [flat]), ...rowsOf('trees of open tasks', trees)]
}

interface Measured {
  tasks: number
  /** By command, in milliseconds. */
  took: ReadonlyMap<string, number[]>
}

function rowsOf(kind: string, sizes: readonly Measured[]): Row[] {
  const best = ({ took }: Measured, command: string) => Math.min(...(took.get(command) ?? []))
  const [fewest] = sizes as [Measured]
  return sizes.flatMap((size) =>
    [...size.took].map(([command, took]) => {
      const ratio = best(size, command) / best(size, BASE)
      const growth = best(size, command) / best(fewest, command)
      const judged = judge(command, { ratio, growth, times: size.tasks / fewest.tasks })
      return { what: `gza ${command}, ${kind}, processor time`, tasks: size.tasks, ...measured(took), ...judged }
    }),
  )
}

function judge(command: string, { ratio, growth, times: more }: { ratio: number; growth: number; times: number }) {
  const most = COMMANDS[command]
  const isGrown = more > 1
  const ratios = [
    ...(most === undefined ? [] : [`${times(ratio)} ready`]),
    ...(isGrown ? [`${times(growth)} at fewest`] : []),
  ]
  const mostGrowth = more * MOST_GROWTH
  const targets = [
    ...(most === undefined ? [] : [`≤ ${most} × ready`]),
    ...(isGrown ? [`≤ ${mostGrowth} × at fewest`] : []),
  ]
  const isReached = (most === undefined || ratio <= most) && (!isGrown || growth <= mostGrowth)
  return { ratio: ratios.join(', '), target: targets.join(', '), reached: targets.length === 0 ? null : isReached }
}

/** Each round runs every command once, so that a slow minute slows all of them. The first round is not counted. */
function cpuInTurns(place: Place, { dir, tasks }: Ledger, rounds: number): Measured {
  const probes = [BASE, ...Object.keys(COMMANDS)].map((command): [string, Probe] => [
    command,
    { argv: [place.gza, ...command.split(' ')], cwd: dir, env: place.env },
  ])
  for (const [, probe] of probes) cpuOf(probe)
  const took = new Map(probes.map(([command]) => [command, [] as number[]]))
  for (let round = 0; round < rounds; round++)
    for (const [command, probe] of probes) took.get(command)?.push(cpuOf(probe))
  return { tasks, took }
}

/** User and system time of one run, in milliseconds. */
function cpuOf({ argv, cwd, env }: Probe): number {
  const { exitCode, resourceUsage } = Bun.spawnSync(argv, { cwd, env, stdout: 'ignore', stderr: 'ignore' })
  if (exitCode !== 0 || resourceUsage === undefined) throw new Error(`${argv.join(' ')} exited with ${exitCode}`)
  return Number(resourceUsage.cpuTime.total) / 1000
}

/** `flat`: every task is open and has no dependencies. */
function fill(place: Place, tasks: number, kind: 'flat' | 'trees'): Ledger {
  const name = `${kind}-${tasks}`
  const dir = makeRepo(place, name)
  const file = join(place.root, `${name}.jsonl`)
  const lines = Array.from({ length: tasks }, (_, index) => JSON.stringify(taskOf(index + 1, kind === 'trees')))
  writeFileSync(file, `${lines.join('\n')}\n`)
  runQuietly(importOf(place, dir, file))
  return { dir, tasks }
}

function taskOf(number: number, isInTree: boolean) {
  const content = `Task ${number}: let module ${number % 97} take case ${number % 13} of the protocol, and describe it`
  return { id: `t${number}`, content, ...(isInTree && tiesOf(number)) }
}

/** Families of ten, three deep; every second task depends on an earlier one, and every third belongs to a group. */
function tiesOf(number: number) {
  const inFamily = number % 10
  const root = number - inFamily
  const parent = inFamily <= 3 ? root : root + 1 + (inFamily % 3)
  return {
    ...(root > 0 && inFamily > 0 && { parent: `t${parent}` }),
    ...(number % 2 === 0 && number > 20 && { after: `t${number - 11}` }),
    ...(number % 3 === 0 && { group: `group ${number % 40}` }),
  }
}
