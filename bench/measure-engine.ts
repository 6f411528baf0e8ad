import { readFileSync, rmSync } from 'node:fs'
import { timeBareWork } from './bare-work.ts'
import { type Factory, type FactoryPlan, makeFactory, workOn } from './factory.ts'
import type { Place } from './place.ts'
import { runQuietly, timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, times } from './table.ts'

const MOST_OVERHEAD = 1.25

/** Tasks that an agent completes with one small commit each, one after another: by gza, and by plain git commands. */
export function measureOverhead(place: Place, tasks: number, rounds: number): Row[] {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    const timeOurs = () => ours.push(timeWork(place, tasks) / tasks)
    const timeBare = () => bare.push(timeBareTasks(place, tasks) / tasks)
    for (const take of round % 2 === 0 ? [timeOurs, timeBare] : [timeBare, timeOurs]) take()
  }
  const ratio = summarize(ours).median / summarize(bare).median
  // A single task also includes the start of the program, which is not part of the engine.
  const limit = tasks === 1 ? NO_TARGET : { target: `≤ ${MOST_OVERHEAD} × bare`, reached: ratio <= MOST_OVERHEAD }
  const target = { ...limit, ratio: `${times(ratio)} bare` }
  const each = tasks === 1 ? 'a task alone' : `each of ${count(tasks)} tasks in a row`
  return [
    { what: `gza work, ${each}`, tasks, ...measured(ours), ...target },
    { what: `bare git commands, ${each}`, tasks, ...measured(bare), ...NO_TARGET },
  ]
}

function timeWork(place: Place, tasks: number): number {
  return timeFactory(place, { name: 'overhead', tasks, seconds: 0 })
}

/** How long `gza work` takes for all tasks of a new factory, one after another. */
export function timeFactory(place: Place, plan: FactoryPlan): number {
  const { tasks } = plan
  const factory = makeFactory(place, plan)
  const elapsed = timeOnce(workOn(place, factory, '--all', '--workers', '1'))
  assertAllDone(place, factory, tasks)
  remove(factory)
  return elapsed
}

function timeBareTasks(place: Place, tasks: number): number {
  const factory = makeFactory(place, { name: 'overhead', tasks, seconds: 0 })
  const elapsed = timeBareWork(factory, tasks)
  remove(factory)
  return elapsed
}

const LEAST_BUSY = { off: 0.9, auto: 0.88 }

export interface SlotsPlan {
  slots: number
  tasks: number
  /** How long an agent takes. */
  seconds: number
  rounds: number
  isolation?: 'off' | 'auto'
}

/**
 * The share of the time in which an agent is working: while there are tasks for all slots, and until the end of the
 * command, when the slots run out of tasks one after another.
 */
export function measureUtilisation(place: Place, plan: SlotsPlan): Row {
  const { slots, tasks, seconds, rounds, isolation = 'off' } = plan
  const busy: number[] = []
  const inAll: number[] = []
  const walls: number[] = []
  for (let round = 0; round < rounds; round++) {
    const factory = makeFactory(place, { name: 'slots', tasks, seconds, isolation })
    const start = performance.timeOrigin + performance.now()
    const wall = timeOnce(workOn(place, factory, '--all', '--workers', String(slots)))
    assertAllDone(place, factory, tasks)
    const calls = readDiary(factory)
    const share = (end: number) => busyTime(calls, end) / (slots * (end - start))
    busy.push(share(Math.max(...calls.map(({ began }) => began))))
    inAll.push(share(start + wall))
    walls.push(wall)
    remove(factory)
  }
  const { median } = summarize(busy)
  const agents = seconds === 1 ? 'a second' : `${seconds} seconds`
  return {
    what: `gza work, ${slots} slots, agents of ${agents}${isolation === 'auto' ? ' in boxes' : ''}`,
    tasks,
    ...measured(walls),
    ratio: `${percent(median)} busy, ${percent(summarize(inAll).median)} in all`,
    target: `≥ ${percent(LEAST_BUSY[isolation])} busy`,
    reached: median >= LEAST_BUSY[isolation],
  }
}

interface Call {
  began: number
  ended: number
}

/** When the agent's first and last lines ran, in milliseconds since 1970. */
function readDiary({ diary }: Factory): Call[] {
  const lines = readFileSync(diary, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [began = 0, ended = 0] = line.split(' ').map((microseconds) => Number(microseconds) / 1000)
    return { began, ended }
  })
}

/** How long agents have worked until then, all together. */
function busyTime(calls: readonly Call[], end: number): number {
  return calls.reduce((sum, { began, ended }) => sum + Math.max(0, Math.min(ended, end) - began), 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

export function assertAllDone(place: Place, { dir, env }: Factory, tasks: number): void {
  const list = runQuietly({ argv: [place.gza, 'list', '--status', 'done', '--json'], cwd: dir, env })
  const done = (JSON.parse(list) as unknown[]).length
  if (done !== tasks) throw new Error(`${tasks} tasks should be completed, and ${done} are`)
}

export function remove({ dir, diary }: Factory): void {
  for (const path of [dir, `${dir}-trees`, `${dir}-state`, `${dir}-config`, diary])
    rmSync(path, { recursive: true, force: true })
}
