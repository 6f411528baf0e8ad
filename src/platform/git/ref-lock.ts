import { plural } from '../../core/text/plural.ts'
import { nodeFs } from '../files/slow-modules.ts'

/** The lock file that git's message names, and its age in seconds. */
export interface HeldLock {
  path: string
  seconds: number
}

export function heldLock(stderr: string): HeldLock | null {
  const path = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1]
  return path === undefined ? null : lockAt(path)
}

/** Those of the locks that exist. */
export function locksAt(paths: readonly string[]): HeldLock[] {
  return paths.flatMap((path) => lockAt(path) ?? [])
}

/** null if there is none. */
export function lockAt(path: string): HeldLock | null {
  const since = changedAt(path)
  return since === null ? null : { path, seconds: Math.floor((Date.now() - since) / 1000) }
}

/**
 * Git holds a ref's lock for milliseconds, and its hooks hold it for seconds: an older lock was left by a process that
 * died.
 */
export function isLeft({ seconds }: HeldLock): boolean {
  return seconds >= 10
}

/** What a person should know about a lock before acting on it. */
export function lockWords(lock: HeldLock): { fact: string; next: string } {
  const fact = `${lock.path} has existed for ${ageWords(lock.seconds)}`
  if (!isLeft(lock)) return { fact, next: 'Another git process holds the lock. Wait for it to end.' }
  return {
    fact,
    next: 'If no git process works in this repository, it was left by one that died: move the file elsewhere.',
  }
}

function ageWords(seconds: number): string {
  const age = Math.max(0, seconds)
  if (age < 120) return plural(age, 'second')
  if (age < 7200) return `${Math.floor(age / 60)} minutes`
  return age < 172_800 ? `${Math.floor(age / 3600)} hours` : `${Math.floor(age / 86_400)} days`
}

function changedAt(path: string): number | null {
  try {
    return nodeFs().statSync(path).mtimeMs
  } catch {
    return null
  }
}
