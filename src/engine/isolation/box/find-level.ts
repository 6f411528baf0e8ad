import { type Isolation, isBox, LEVELS, type Level } from '../../../core/isolation/levels.ts'
import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'

/** Why this machine cannot give a level; null: it can. */
export type Machine = (level: Exclude<Level, 'none'>) => string | null

export interface FoundLevel {
  level: Level
  /** The stronger levels, and why this machine does not have them. */
  missing: readonly { level: Level; why: string }[]
}

/** The strongest level that was asked for and that the machine has. A stronger level is tried first, and only once. */
export function findLevel(wanted: Isolation, machine: Machine): FoundLevel {
  if (wanted === 'off') return { level: 'none', missing: [] }
  const missing: { level: Level; why: string }[] = []
  for (const level of LEVELS) {
    if (wanted === 'required' && !isBox(level)) throw noBox(missing)
    const why = level === 'none' ? null : machine(level)
    if (why === null) return { level, missing }
    missing.push({ level, why })
  }
  throw new Error('The last level is always there')
}

function noBox(missing: FoundLevel['missing']): UserError {
  const reasons = missing.map(({ level, why }) => `${level}: ${why}`).join('; ')
  return new UserError('NO_BOX', `isolation is required, but this machine can make no box (${reasons})`, {
    hint: sentence`${command`doctor`} says what this machine needs for it. Or set isolation: auto in your own file.`,
  })
}
