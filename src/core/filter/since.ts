import { UserError } from '../user-error.ts'

/** A point in time, or a length of time before the present. */
export type Since = { at: number } | { ago: number }

const MINUTE = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 7 * 1440 * MINUTE }

/** `2d`, `36h`, `2026-11-01`, `2026-11-01T09:30` or with seconds and a zone. A time without a zone is UTC, as gza prints it. */
export function readSince(text: string): Since {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/i.exec(text) ?? []
  if (unit !== undefined) return { ago: Number(count) * (UNITS[unit.toLowerCase()] ?? 0) }
  const [, day, time, zone] = DATE.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time ?? '00:00'}${zone?.toUpperCase() ?? 'Z'}`)
  if (!Number.isNaN(at) && isDay(day ?? '')) return { at }
  throw new UserError('BAD_VALUE', `'${text}' is not a time`, {
    hint: 'A length of time such as 30m, 12h, 2d or 3w, or a date such as 2026-11-01 or 2026-11-01T09:30',
    exitCode: 2,
  })
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/** `Date.parse` takes February 30 for March 1. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day)
}

/** In milliseconds since 1970. */
export function sinceTime(since: Since, now: number): number {
  return 'at' in since ? since.at : now - since.ago
}
