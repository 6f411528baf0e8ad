import type { IsolationSettings, Level } from '../../../core/isolation/levels.ts'
import type { Env } from '../../../platform/git/git.ts'
import { findLevel } from '../box/find-level.ts'
import { thisMachine } from '../box/this-machine.ts'

/** What holds the agents of a run, and what a person leaves open. */
export interface RunIsolation extends Pick<IsolationSettings, 'allow'> {
  level: Level
  /** The home folder is read-only, except for what clients need. */
  isStrict: boolean
  /** A person has not turned it off, so the run says which level it had. */
  isWanted: boolean
}

export const NOT_ISOLATED: RunIsolation = { level: 'none', allow: [], isStrict: false, isWanted: false }

/** Throws where a box is required and cannot be made. */
export async function findRunIsolation({ level, allow }: IsolationSettings, env: Env): Promise<RunIsolation> {
  if (level === 'off') return NOT_ISOLATED
  return {
    level: findLevel(level, await thisMachine(env)).level,
    allow,
    isStrict: level === 'strict',
    isWanted: true,
  }
}

/** The level that can read a private git folder whose run is over; `none`: this machine has nothing that holds it. */
export async function findBoxLevel(env: Env): Promise<Level> {
  return findLevel('auto', await thisMachine(env)).level
}
