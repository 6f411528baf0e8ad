import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LEVELS, type Level } from '../../src/core/isolation/levels.ts'
import type { Env } from '../support/run-process.ts'

/** What holds the client, and as whom gza runs. */
export interface Pair {
  level: Level
  user: (typeof USERS)[number]
}

export const USERS = ['root', 'user'] as const

export const ALL_PAIRS: readonly Pair[] = LEVELS.flatMap((level) => USERS.map((user) => ({ level, user })))

export function pairName({ level, user }: Pair): string {
  return `${level}/${user}`
}

/** The pairs of this run, the strongest level first (`npm run test:agents` finds them). */
export function testedPairs(): Pair[] {
  const names = (process.env.GZA_CLIENT_PAIRS ?? '').split(' ')
  return ALL_PAIRS.filter((pair) => names.includes(pairName(pair)))
}

export function strongestPair(): Pair {
  const [first] = testedPairs()
  if (first === undefined) throw new Error('GZA_CLIENT_PAIRS names no pair: run `npm run test:agents`')
  return first
}

/** The ordinary user, and its group. It has the number that root has in a box. */
export const ORDINARY = 1000

const IS_ROOT = process.getuid?.() === 0

/** What gza makes its boxes with at the stronger levels. A level is the strongest one if these are not there. */
const HIDDEN: Record<Level, string[]> = {
  bubblewrap: [],
  unshare: ['bwrap'],
  landlock: ['bwrap', 'unshare'],
  none: [],
}

/**
 * What runs a program as the pair says. Only root can hide programs and become another user. Files that the test has
 * written below the root folder then belong to that user.
 */
export function through({ level, user }: Pair, root: string): string[] {
  const hide = `for hidden in ${HIDDEN[level].join(' ')}; do mount --bind /dev/null "$(command -v "$hidden")"; done`
  const give = `find '${root}' -uid 0 -exec chown -h ${ORDINARY}:${ORDINARY} {} + 2>/dev/null || :`
  const become = `setpriv --reuid=${ORDINARY} --regid=${ORDINARY} --clear-groups --`
  const isOther = IS_ROOT && user === 'user'
  const steps = [...(HIDDEN[level].length > 0 ? [hide] : []), ...(isOther ? [give] : [])]
  if (steps.length === 0) return []
  const script = [...steps, `exec ${isOther ? become : ''} "$@"`].join('; ')
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-ec', script, 'sh']
}

/** The level is written into the person's own file, as a person does it. */
export function setIsolation(env: Env, { level }: Pair, word: 'auto' | 'strict' = 'auto'): void {
  const file = join(env.HOME ?? '', '.config/gza/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `isolation: ${level === 'none' ? 'off' : word}\n`)
}
