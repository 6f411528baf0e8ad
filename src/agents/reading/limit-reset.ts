import { waitIn } from './wait-in.ts'
import { momentOf, type WallTime, wallTimeAt } from './zoned-time.ts'

/**
 * When a usage limit ends, according to its message: a point in time, a duration from `now`, or a time of day after
 * `now`.
 */
export function limitReset(message: string, now: Date): string | null {
  const text = message.slice(0, LONGEST_READ)
  const moment = momentNamed(text)
  if (moment !== null) return moment
  const wait = waitIn(text)
  if (wait !== null) return iso(now.getTime() + Math.ceil(wait) * 1000)
  return timeOfDay(text, now)
}

const LONGEST_READ = 16_000

/** A time that does not depend on the current one: seconds since 1970, or a whole date with its zone. */
export function momentNamed(message: string): string | null {
  const epoch = /(?:limit reached\||resets?_?at[\s"':\\]{1,12})(\d{10}|\d{13})\b/i.exec(message)
  if (epoch) return iso(Number(epoch[1]) * (epoch[1]?.length === 10 ? 1000 : 1))
  const dated = /\b(20\d\d-\d\d-\d\d)(?:T| (?:at )?)(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?(?:Z| ?UTC)/.exec(message)
  return dated ? iso(Date.parse(`${dated[1]}T${dated[2]}Z`)) : null
}

function iso(milliseconds: number): string | null {
  return Math.abs(milliseconds) < 8.64e15 ? new Date(milliseconds).toISOString() : null
}

/**
 * `resets 3pm (UTC)`, `resets Jan 30, 11:30am (Asia/Calcutta)`, `Access resets at 10:57 PM GMT-3`, `try again at May
 * 11th, 2026 1:36 PM`. Without a zone the client means this machine's.
 */
const TIME_OF_DAY = new RegExp(
  '(?:resets?|again|available)(?: (?:at|on))? ' +
    '(?:(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} (?<day>\\d{1,2})(?:st|nd|rd|th)?' +
    '(?:,? (?<year>20\\d\\d))?(?:,| at)? )?' +
    '(?<hour>\\d{1,2})(?::(?<minute>\\d\\d))? ?(?<half>[ap])\\.?m\\b\\.?' +
    '(?: \\(?(?<zone>[A-Z][A-Za-z]+/[\\w/+-]{1,40}|(?:UTC|GMT)(?:[+-]\\d{1,2}(?::?\\d\\d)?)?))?',
  'i',
)

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

type Named = Record<'month' | 'day' | 'year' | 'hour' | 'minute' | 'half' | 'zone', string | undefined>

function timeOfDay(text: string, now: Date): string | null {
  const named = TIME_OF_DAY.exec(text)?.groups as Named | undefined
  const today = named && wallTimeAt(now, named.zone)
  if (!named || !today || Number(named.hour) > 12) return null
  const clock = {
    hour: (Number(named.hour) % 12) + (named.half?.toLowerCase() === 'p' ? 12 : 0),
    minute: Number(named.minute ?? 0),
  }
  const wall = named.month === undefined ? { ...today, ...clock } : { ...dateOf(named, today), ...clock }
  return firstAfter(wall, named, now)
}

function dateOf({ month, day, year }: Named, today: WallTime): Pick<WallTime, 'year' | 'month' | 'day'> {
  return {
    year: year === undefined ? today.year : Number(year),
    month: MONTHS.indexOf(month?.toLowerCase() ?? '') + 1,
    day: Number(day),
  }
}

/** A time that has just passed means soon, not tomorrow, because the server's clock differs from ours. */
const JUST_PASSED_MS = 10 * 60_000

/** A time without a day is within a day, a date without a year within a year. */
function firstAfter(wall: WallTime, named: Named, now: Date): string | null {
  const moment = momentOf(wall, named.zone)
  if (moment === null) return null
  const late = now.getTime() - moment.getTime()
  if (late < 0 || named.year !== undefined) return iso(moment.getTime())
  if (late < JUST_PASSED_MS) return iso(now.getTime() + JUST_PASSED_MS)
  const next = named.month === undefined ? { ...wall, day: wall.day + 1 } : { ...wall, year: wall.year + 1 }
  const later = momentOf(next, named.zone)
  return later && iso(later.getTime())
}
