/** An agent that hit its account's usage limit rests until the reset, in every repository of the person. */
import type { Env } from '../../platform/git/git.ts'
import { dropPause, pauseOf, setPause } from '../../state/account/pauses.ts'
import { readAccount, writeAccount } from './account.ts'

/** Where a client names no moment: long enough not to hammer, short enough not to lose a night. */
const UNKNOWN_RESET_MS = 30 * 60_000

export function pausedUntil(env: Env, agent: string, now: string): string | null {
  const until = lastPause(env, agent)
  return until !== null && until > now ? until : null
}

/** The pause that was the last to be known of it, over or not. */
export function lastPause(env: Env, agent: string): string | null {
  return readAccount(env, null, (account) => pauseOf(account, agent))
}

/** Its account works: what is over needs no remembering. */
export function forgetPause(env: Env, agent: string, now: string): void {
  if (lastPause(env, agent) !== null) writeAccount(env, (account) => dropPause(account, agent, now))
}

export function pauseAgent(env: Env, agent: string, resetsAt: string | null, now: string): void {
  const until = resetsAt ?? new Date(Date.parse(now) + UNKNOWN_RESET_MS).toISOString()
  writeAccount(env, (account) => setPause(account, agent, until))
}
