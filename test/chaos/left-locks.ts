import { readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import type { StormRepo } from './storm-repo.ts'

/** No git process here holds a lock nearly as long. */
const LEFT_MS = 10_000

/**
 * Does what gza says about a lock that a killed git has left: gza never removes one, because it cannot know whose it is.
 * A person can, and moves the file elsewhere.
 */
export function moveLeftLocks(storm: StormRepo): void {
  for (const lock of locksIn(storm)) if (ageOf(lock) > LEFT_MS) moveAway(storm, lock)
}

/** When nothing runs any more. */
export async function moveAllLeftLocks(storm: StormRepo): Promise<void> {
  await until(() => {
    moveLeftLocks(storm)
    return locksIn(storm).length === 0
  }, 'no lock is left')
}

export function movedLocks({ main }: StormRepo): number {
  return readdirSync(main.beside('left-locks')).length
}

function moveAway({ main, note }: StormRepo, lock: string): void {
  const folder = main.beside('left-locks')
  renameSync(lock, join(folder, `${readdirSync(folder).length}`))
  note(`person: moves ${lock} elsewhere`)
}

/** Objects have none, and are many. */
function locksIn({ main }: StormRepo): string[] {
  const scan = { cwd: join(main.dir, '.git'), dot: true }
  // One pattern with braces around these finds nothing.
  const found = ['*.lock', 'refs/**/*.lock', 'worktrees/**/*.lock'].flatMap((each) => [
    ...new Bun.Glob(each).scanSync(scan),
  ])
  return found.map((path) => join(main.dir, '.git', path))
}

/** 0 if it has gone meanwhile. */
function ageOf(lock: string): number {
  return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}
