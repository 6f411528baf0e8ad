import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { normalPath } from '../text/normal-path.ts'
import { criticalPath } from './critical-path.ts'
import { type SimulatedTask, simulate } from './simulate-schedule.ts'

const task = (uid: string, fields: Partial<SimulatedTask> = {}): SimulatedTask => ({
  uid,
  files: [],
  needs: [],
  seconds: 10,
  earliest: 0,
  isWhole: false,
  ...fields,
})

const startsOf = (tasks: SimulatedTask[], workers: number) =>
  simulate(tasks, workers).runs.map(({ uid, worker, start, end }) => [uid, worker, start, end])

describe('simulate', () => {
  test('a worker takes the next task as soon as it is free', () => {
    const tasks = [task('a', { seconds: 30 }), task('b'), task('c'), task('d', { needs: ['a'] })]
    expect(startsOf(tasks, 2)).toEqual([
      ['a', 1, 0, 30],
      ['b', 2, 0, 10],
      ['c', 2, 10, 20],
      ['d', 1, 30, 40],
    ])
    expect(simulate(tasks, 2)).toMatchObject({ seconds: 40, idle_seconds: 20, left: [] })
  })

  test('tasks that share a file do not run together, and a later one goes first', () => {
    expect(startsOf([task('a', { files: ['x'] }), task('b', { files: ['./x'] }), task('c')], 2)).toEqual([
      ['a', 1, 0, 10],
      ['c', 2, 0, 10],
      ['b', 1, 10, 20],
    ])
  })

  test('a task that rests lets others go first', () => {
    expect(startsOf([task('a', { earliest: 25 }), task('b')], 1)).toEqual([
      ['b', 1, 0, 10],
      ['a', 1, 25, 35],
    ])
  })

  test('a whole is finished with its parts and takes no worker', () => {
    const tasks = [task('whole', { needs: ['part'], isWhole: true }), task('part'), task('after', { needs: ['whole'] })]
    expect(startsOf(tasks, 1)).toEqual([
      ['part', 1, 0, 10],
      ['after', 1, 10, 20],
    ])
  })

  test('a task that waits for itself, or for something outside, never starts', () => {
    const tasks = [
      task('a', { needs: ['b'] }),
      task('b', { needs: ['a'] }),
      task('c', { needs: ['failed'] }),
      task('d'),
    ]
    expect(simulate(tasks, 3).left).toEqual(['a', 'b', 'c'])
  })
})

const names = Array.from({ length: 14 }, (_, at) => `t${at}`)
const files = fc.array(fc.constantFrom('a', './b', 'b', 'c', 'd/../a'), { maxLength: 2 })
/** Dependencies point to any other task, so cycles occur too. */
const anyTasks = fc
  .array(
    fc.record({
      files,
      needs: fc.array(fc.constantFrom(...names, 'outside'), { maxLength: 2 }),
      seconds: fc.integer({ min: 0, max: 9 }),
      earliest: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 20 })),
      isWhole: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { maxLength: names.length },
  )
  .map((list) => list.map((fields, at) => task(`t${at}`, fields)))
const anyWorkers = fc.integer({ min: 1, max: 5 })

const workOf = (tasks: readonly SimulatedTask[], uids: ReadonlySet<string>) =>
  tasks.filter(({ uid }) => uids.has(uid)).reduce((sum, { seconds }) => sum + seconds, 0)

test('each task runs once, after what it needs, alone on its worker, and never together with one that shares a file', () => {
  fc.assert(
    fc.property(anyTasks, anyWorkers, (tasks, workers) => {
      const { runs, left } = simulate(tasks, workers)
      const byUid = new Map(tasks.map((each) => [each.uid, each]))
      const ends = endsOf(tasks, runs)
      expect(new Set(runs.map(({ uid }) => uid)).size).toBe(runs.length)
      for (const run of runs) {
        const own = byUid.get(run.uid) as SimulatedTask
        for (const needed of own.needs) expect(ends.get(needed)).toBeLessThanOrEqual(run.start)
        expect(run.start).toBeGreaterThanOrEqual(own.earliest)
        for (const other of runs) {
          if (other === run || other.end <= run.start || run.end <= other.start) continue
          expect(other.worker).not.toBe(run.worker)
          const theirs = new Set(byUid.get(other.uid)?.files.map(normalPath))
          expect(own.files.filter((file) => theirs.has(normalPath(file)))).toEqual([])
        }
        expect(run.worker).toBeWithin(1, workers + 1)
      }
      for (const uid of left) expect(byUid.get(uid)?.needs.some((needed) => !ends.has(needed))).toBe(true)
    }),
  )
})

test('a task never starts before a more urgent one that could have started instead', () => {
  fc.assert(
    fc.property(anyTasks, anyWorkers, (tasks, workers) => {
      const { runs } = simulate(tasks, workers)
      const ends = endsOf(tasks, runs)
      const byUid = new Map(tasks.map((each) => [each.uid, each]))
      for (const [at, run] of runs.entries()) {
        for (const later of runs.slice(at + 1)) {
          const urgent = byUid.get(later.uid) as SimulatedTask
          if (tasks.indexOf(urgent) > tasks.findIndex(({ uid }) => uid === run.uid)) continue
          const now = run.start
          const busy = runs.filter(
            (other) => other !== later && other.start <= now && (other.end > now || other.start === now),
          )
          const busyFiles = new Set(busy.flatMap(({ uid }) => byUid.get(uid)?.files.map(normalPath) ?? []))
          const cause =
            urgent.earliest > now ||
            urgent.needs.some((needed) => (ends.get(needed) ?? Number.POSITIVE_INFINITY) > now) ||
            urgent.needs.some((needed) => runs.some((other) => other.uid === needed && other.start === now)) ||
            urgent.files.some((file) => busyFiles.has(normalPath(file))) ||
            later.start === now
          expect(cause).toBe(true)
        }
      }
    }),
  )
})

test('it takes at least as long as the critical path, and as the work divided evenly', () => {
  fc.assert(
    fc.property(anyTasks, anyWorkers, (tasks, workers) => {
      const { runs, seconds, idle_seconds } = simulate(tasks, workers)
      const work = workOf(tasks, new Set(runs.map(({ uid }) => uid)))
      expect(seconds).toBeGreaterThanOrEqual(criticalPath(tasks).seconds)
      expect(seconds * workers).toBe(work + idle_seconds)
      expect(idle_seconds).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('with a worker for each task and no common files it takes exactly as long as the critical path', () => {
  fc.assert(
    fc.property(anyTasks, (tasks) => {
      const free = tasks.map((each) => ({ ...each, files: [] }))
      expect(simulate(free, free.length + 1).seconds).toBe(criticalPath(free).seconds)
    }),
  )
})

test('without pauses one worker is never idle, and more workers take at most what Graham proved', () => {
  fc.assert(
    fc.property(anyTasks, anyWorkers, (tasks, workers) => {
      const free = tasks.map((each) => ({ ...each, files: [], earliest: 0 }))
      expect(simulate(free, 1).idle_seconds).toBe(0)
      const { runs, seconds } = simulate(free, workers)
      const work = workOf(free, new Set(runs.map(({ uid }) => uid)))
      const most = work / workers + (criticalPath(free).seconds * (workers - 1)) / workers
      expect(seconds).toBeLessThanOrEqual(most + 1e-9)
    }),
  )
})

/** When each task ends; wholes end with the last of their parts. */
function endsOf(tasks: readonly SimulatedTask[], runs: readonly { uid: string; end: number }[]): Map<string, number> {
  const ends = new Map(runs.map(({ uid, end }) => [uid, end]))
  for (let known = -1; known < ends.size; ) {
    known = ends.size
    for (const { uid, needs, isWhole } of tasks) {
      if (isWhole && needs.length > 0 && needs.every((needed) => ends.has(needed)))
        ends.set(uid, Math.max(...needs.map((needed) => ends.get(needed) ?? 0)))
    }
  }
  return ends
}
