/**
 * Simulates the work: what workers would do and when, if every task took the assumed time and none failed. It chooses
 * like the engine: in the order of selection, only tasks whose files are free, as soon as a worker is free.
 */
import { type Candidate, selectBatch } from './select-batch.ts'

export interface SimulatedTask extends Candidate {
  /** Uids of the tasks that must be done first. A task that needs one outside the simulation never starts. */
  needs: readonly string[]
  seconds: number
  /** It rests after a failure: seconds from now before which it does not start. */
  earliest: number
  /** It has parts, and is done as soon as they are: it needs no worker. */
  isWhole: boolean
}

export interface SimulatedRun {
  uid: string
  /** From 1. */
  worker: number
  start: number
  end: number
}

export interface Schedule {
  workers: number
  /** In the order in which they start. */
  runs: SimulatedRun[]
  /** Until the last run ends. */
  seconds: number
  /** Of all workers together, until then. */
  idle_seconds: number
  /** Uids of the tasks that never start. */
  left: string[]
}

/** `tasks` are in the order of selection. */
export function simulate(tasks: readonly SimulatedTask[], workers: number): Schedule {
  const queue = openQueue(tasks)
  const running = new Map<number, SimulatedRun & { task: SimulatedTask }>()
  const runs: SimulatedRun[] = []
  for (let now = 0; ; ) {
    const busy = [...running.values()].flatMap(({ task }) => task.files)
    for (const task of selectBatch(queue.startable(now), busy, workers - running.size)) {
      const worker = freeWorker(running)
      const run = { uid: task.uid, worker, start: now, end: now + task.seconds }
      queue.take(task)
      runs.push(run)
      running.set(worker, { ...run, task })
    }
    const next = nextMoment(running.values(), queue.resting(now))
    if (next === null) break
    now = next
    for (const [worker, { task, end }] of running) {
      if (end > now) continue
      running.delete(worker)
      queue.finish(task.uid)
    }
  }
  const seconds = runs.reduce((latest, { end }) => Math.max(latest, end), 0)
  const busySeconds = runs.reduce((sum, { start, end }) => sum + end - start, 0)
  return { workers, runs, seconds, idle_seconds: workers * seconds - busySeconds, left: queue.left() }
}

function freeWorker(running: ReadonlyMap<number, unknown>): number {
  let worker = 1
  while (running.has(worker)) worker++
  return worker
}

function nextMoment(running: Iterable<SimulatedRun>, resting: Iterable<SimulatedTask>): number | null {
  let next = Number.POSITIVE_INFINITY
  for (const { end } of running) next = Math.min(next, end)
  for (const { earliest } of resting) next = Math.min(next, earliest)
  return next === Number.POSITIVE_INFINITY ? null : next
}

interface Queue {
  /** The tasks that may start now, in order. */
  startable(now: number): Iterable<SimulatedTask>
  /** The tasks that could start if they did not rest. */
  resting(now: number): Iterable<SimulatedTask>
  take(task: SimulatedTask): void
  finish(uid: string): void
  left(): string[]
}

function openQueue(tasks: readonly SimulatedTask[]): Queue {
  const ranks = new Map(tasks.map(({ uid }, rank) => [uid, rank]))
  const unmet = tasks.map(({ needs }) => new Set(needs).size)
  const followers = followersOf(tasks)
  const ready: number[] = []
  const left = new Set(tasks.map(({ uid }) => uid))
  for (const [rank, count] of unmet.entries()) if (count === 0) makeReady(rank)
  return {
    startable: (now) => those((task) => task.earliest <= now),
    resting: (now) => those((task) => task.earliest > now),
    take(task) {
      left.delete(task.uid)
      ready.splice(placeOf(ready, ranks.get(task.uid) ?? 0), 1)
    },
    finish,
    left: () => [...left],
  }

  function* those(isWanted: (task: SimulatedTask) => boolean): Generator<SimulatedTask> {
    for (const rank of ready) {
      const task = tasks[rank]
      if (task !== undefined && isWanted(task)) yield task
    }
  }

  function finish(uid: string): void {
    const over = [uid]
    for (const each of over) {
      for (const rank of followers.get(each) ?? []) {
        const rest = (unmet[rank] ?? 0) - 1
        unmet[rank] = rest
        if (rest === 0 && makeReady(rank)) over.push(tasks[rank]?.uid ?? '')
      }
    }
  }

  /** True for a task that is finished by this. */
  function makeReady(rank: number): boolean {
    const task = tasks[rank]
    if (task?.isWhole && task.needs.length > 0) return left.delete(task.uid)
    ready.splice(placeOf(ready, rank), 0, rank)
    return false
  }
}

/** For each uid, the ranks of the tasks that need it. */
function followersOf(tasks: readonly SimulatedTask[]): Map<string, number[]> {
  const followers = new Map<string, number[]>()
  for (const [rank, { needs }] of tasks.entries()) {
    for (const uid of new Set(needs)) {
      const known = followers.get(uid)
      if (known) known.push(rank)
      else followers.set(uid, [rank])
    }
  }
  return followers
}

/** The index at which a number is, or would be, among sorted ones. */
function placeOf(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
