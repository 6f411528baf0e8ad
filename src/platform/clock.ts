/** The present, in milliseconds since 1970. Everything outside of platform gets this clock passed in. */
export function systemClock(): number {
  return Date.now()
}
