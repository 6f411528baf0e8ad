import { isoSeconds } from '../core/text/iso-seconds.ts'

/** The present, in milliseconds since 1970. Everything outside of platform gets this clock passed in. */
export function systemClock(): number {
  return Date.now()
}

/** The same as the ledger writes it. */
export function systemNow(): string {
  return isoSeconds(Date.now())
}
