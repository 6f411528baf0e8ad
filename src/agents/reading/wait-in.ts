/**
 * The seconds that a message asks to wait: `try again in 2 days 3 hours`, `quota will reset after 8h44m7s`, `retry in
 * 900ms`, `"retryDelay":"33s"`, `"resets_in_seconds":602705`. Null if it names no duration.
 */
export function waitIn(message: string): number | null {
  const counted = COUNTED.exec(message)
  if (counted) return Number(counted[1])
  const found = ASKS_TO_WAIT.exec(message)
  if (found === null) return null
  const parts = [...(found[1] ?? '').matchAll(PART)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * secondsOf(unit ?? ''), 0)
}

/** What separates a key from its value, also in JSON within JSON. */
const BETWEEN = '[\\s"\':\\\\]{1,12}'

const COUNTED = new RegExp(`(?:resets?_in_seconds|retry[_-]after)${BETWEEN}(\\d{1,9})\\b(?!\\.?\\d|[smhd])`, 'i')

const UNIT = '(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])(?![a-z])'
const LENGTH = `\\d{1,9}(?:\\.\\d{1,9})?\\s?${UNIT}`

const ASKS_TO_WAIT = new RegExp(
  `(?:again|retry|retrying|resets?|available|wait|retryDelay)\\b${BETWEEN}(?:(?:in|after|for)\\s)?(?:about\\s)?` +
    `(${LENGTH}(?:(?:,|,? and)?\\s?${LENGTH}){0,5})`,
  'i',
)

const PART = /(\d+(?:\.\d+)?)\s?(milliseconds?|ms|[smhdw])/gi

function secondsOf(unit: string): number {
  if (/^m(?:s|illi)/i.test(unit)) return 0.001
  return SECONDS[unit.charAt(0).toLowerCase()] ?? 0
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
