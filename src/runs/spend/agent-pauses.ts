/** An agent that reached its account's usage limit is paused until the reset, in every repository of the person. */
import type { Env } from '../../platform/git/git.ts'
import { dropPause, pauseOf, setPause } from '../../state/account/pauses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAccount, writeAccount } from './account.ts'

/** If a client reports no reset time: not too often for the service, not too long for an unattended night. */
const UNKNOWN_RESET_MS = 30 * 60_000

type Clocked = Pick<Workspace, 'env' | 'clock'>

export function pausedUntil({ env, clock }: Clocked, agent: string): string | null {
  const until = lastPause(env, agent)
  return until !== null && until > new Date(clock()).toISOString() ? until : null
}

/** The last known pause of the agent, over or not. */
export function lastPause(env: Env, agent: string): string | null {
  return readAccount(env, null, (account) => pauseOf(account, agent))
}

/** Its account works, so a pause that is over can be deleted. */
export function forgetPause({ env, clock }: Clocked, agent: string): void {
  if (lastPause(env, agent) === null) return
  writeAccount(env, (account) => dropPause(account, agent, new Date(clock()).toISOString()))
}

export function pauseAgent({ env, clock }: Clocked, agent: string, resetsAt: string | null): void {
  const until = resetsAt ?? new Date(clock() + UNKNOWN_RESET_MS).toISOString()
  writeAccount(env, (account) => setPause(account, agent, until))
}
