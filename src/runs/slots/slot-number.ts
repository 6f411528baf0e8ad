import { type PortRange, portsOf } from '../../core/config/port-range.ts'
import type { Env } from '../../platform/git/git.ts'
import { dropHolds, takeNumber } from '../../state/account/holds.ts'
import { writeAccount } from '../spend/account.ts'
import { isHolderGone, ownerNamed } from './hold.ts'

/** A number that no other run or check of this person has at the same time, with ports of its own. */
export interface SlotNumber {
  /** For the agent, the set-up and the checks. */
  env: Env
  /** May be called twice. */
  release(): void
}

/** `holder`: the run or the landing. */
export function takeSlotNumber(env: Env, ports: PortRange, holder: string): SlotNumber {
  let number = 0
  writeAccount(env, (account) => {
    number = takeNumber(account, ownerNamed(holder), isHolderGone)
  })
  return {
    env: { GZA_SLOT: String(number), GZA_PORT: String(portsOf(ports, number)) },
    release: () => writeAccount(env, (account) => dropHolds(account, '', [String(number)], holder)),
  }
}
