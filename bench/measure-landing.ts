import { rmSync } from 'node:fs'
import { type Factory, makeFactory, workOn } from './factory.ts'
import type { Place } from './place.ts'
import { runQuietly, timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { count, times } from './table.ts'

/**
 * Finished tasks of one commit each, landed by cherry-pick with a verification that does nothing: by `gza merge --all`,
 * and by plain git commands, called one after another. Both start the process `true`.
 */
export function measureLanding(place: Place, tasks: number, rounds: number): Row[] {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    const timeOurs = () => ours.push(timeLanding(place, tasks, timeMerge))
    const timeBare = () => bare.push(timeLanding(place, tasks, timeBareLanding))
    for (const take of round % 2 === 0 ? [timeOurs, timeBare] : [timeBare, timeOurs]) take()
  }
  const perMinute = (values: number[]) =>
    measured(
      values.map((elapsed) => (tasks * 60_000) / elapsed),
      rate,
    )
  const ratio = `${times(summarize(ours).median / summarize(bare).median)} bare`
  return [
    { what: 'landing, gza merge --all', tasks, ...perMinute(ours), ...NO_TARGET, ratio },
    { what: 'landing, bare git commands', tasks, ...perMinute(bare), ...NO_TARGET },
  ]
}

function rate(value: number): string {
  return `${count(Math.round(value))} a minute`
}

function timeLanding(place: Place, tasks: number, land: (place: Place, factory: Factory) => number): number {
  const factory = makeFactory(place, { name: 'landing', tasks, seconds: 0, config: 'verify: {command: "true"}\n' })
  runQuietly(workOn(place, factory, '--all', '--workers', '1'))
  const elapsed = land(place, factory)
  const inBase = git(factory, factory.dir, ['rev-list', '--count', '--grep=^Do it$', 'main']).trim()
  if (inBase !== String(tasks)) throw new Error(`${tasks} tasks should have landed, and ${inBase} have`)
  for (const path of [factory.dir, `${factory.dir}-state`, `${factory.dir}-land`])
    rmSync(path, { recursive: true, force: true })
  return elapsed
}

function timeMerge(place: Place, { dir, env }: Factory): number {
  return timeOnce({ argv: [place.gza, 'merge', '--all', '--cherry-pick'], cwd: dir, env })
}

/** A person's script: a second checkout, each task applied on top of the last one and checked; then the base moves. */
function timeBareLanding(_place: Place, factory: Factory): number {
  const { dir, env } = factory
  const branches = git(factory, dir, ['for-each-ref', '--format=%(refname)', '--no-merged=main', 'refs/heads/'])
  const path = `${dir}-land`
  const start = performance.now()
  git(factory, dir, ['worktree', 'add', '--quiet', '--detach', path, 'main'])
  for (const branch of branches.trim().split('\n')) {
    git(factory, path, ['cherry-pick', '--ff', `main..${branch}`])
    const landed = git(factory, path, ['rev-parse', 'HEAD']).trim()
    runQuietly({ argv: ['true'], cwd: path, env })
    git(factory, dir, ['merge', '--quiet', '--ff-only', landed])
    git(factory, dir, ['notes', '--ref=refs/notes/tasks', 'append', '--file=-', landed], 'landed\n')
  }
  git(factory, dir, ['worktree', 'remove', path])
  return performance.now() - start
}

function git({ env }: Factory, cwd: string, args: string[], input?: string): string {
  return runQuietly({ argv: ['git', ...args], cwd, env }, input)
}
