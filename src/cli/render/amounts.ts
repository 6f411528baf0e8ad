/** Times, counts and costs in a few characters. */

/** `45s`, `3m05s`, `2h07m`. */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole}s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}m${two(whole % 60)}s`
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`
}

/** `950`, `12.3k`, `4.5M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M']
  return `${value.toFixed(1)}${unit}`
}

/** Two decimals; four below one cent, so that a cheap run does not look free. */
export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

/** What was reported. An agent that worked and reported nothing was not free, so its cost is unknown. */
export function costWords({ usd, isUnknown }: { usd: number; isUnknown: boolean }): string {
  if (!isUnknown) return dollars(usd)
  return usd === 0 ? 'unknown' : `${dollars(usd)} + unknown`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
