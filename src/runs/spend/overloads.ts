/**
 * An overloaded service refuses every task of the person alike. So the agent waits, not each task: nothing is started
 * with it until one pause is over, and then one run tries.
 */
import { overloadPause } from '../../core/run/run-rules.ts'
import { addOverload, allOverloads, dropOverload, type Overload } from '../../state/account/overload-rows.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAccount, writeAccount } from './account.ts'

type Clocked = Pick<Workspace, 'env' | 'clock'>

/** `startedAt`: when the run started that was refused. */
export function noteOverload({ env, clock }: Clocked, agent: string, startedAt: string): void {
  writeAccount(env, (account) => addOverload(account, { agent, at: clock(), started: Date.parse(startedAt) }))
}

/** Its service works again. */
export function forgetOverload({ env }: Clocked, agent: string): void {
  if (overloadsIn({ env }).some((overload) => overload.agent === agent))
    writeAccount(env, (account) => dropOverload(account, agent))
}

/** When each overloaded agent may be called again, in milliseconds since 1970. */
export function overloadedAgents({ env, clock }: Clocked, backoffSeconds: number): Map<string, number> {
  const pauses = overloadsIn({ env }).map(({ agent, times, since }): [string, number] => {
    return [agent, since + overloadPause(times, backoffSeconds) * 1000]
  })
  return new Map(pauses.filter(([, until]) => until > clock()))
}

function overloadsIn({ env }: Pick<Clocked, 'env'>): Overload[] {
  return readAccount(env, [], allOverloads)
}
