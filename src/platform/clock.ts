/** The present, in milliseconds since 1970. Everything outside of platform gets this clock passed in. */
export function systemClock(): number {
  return Date.now()
}

/** The same as the ledger writes it. */
export function systemNow(): string {
  return isoSeconds(Date.now())
}

/** A moment as the ledger writes it: UTC in whole seconds, such as 2026-01-02T10:00:05Z. */
export function isoSeconds(time: string | number | Date): string {
  const text = new Date(time).toISOString()
  return `${text.slice(0, text.lastIndexOf('.'))}Z`
}
