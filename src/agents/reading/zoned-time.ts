/** A time as a clock on the wall shows it; month from 1. */
export interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

/** The moment at which clocks of a zone show that time, or null for an unknown zone. Without a zone, this machine's. */
export function momentOf(wall: WallTime, zone: string | undefined): Date | null {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute)
  const offset = fixedOffset(zone)
  if (offset !== null) return new Date(asUtc - offset)
  const guess = wallTimeAt(new Date(asUtc), zone)
  if (guess === null) return null
  const first = asUtc - (utcOf(guess) - asUtc)
  // Once more, for a guess on the other side of a clock change.
  const shown = wallTimeAt(new Date(first), zone) ?? guess
  return new Date(first + (asUtc - utcOf(shown)))
}

/** What clocks of a zone show at a moment, to the minute. */
export function wallTimeAt(moment: Date, zone: string | undefined): WallTime | null {
  const offset = fixedOffset(zone)
  if (offset !== null) return wallTimeAt(new Date(moment.getTime() + offset), 'UTC')
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
      ...{ hourCycle: 'h23', timeZone: zone },
    })
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
    return { year, month, day, hour, minute }
  } catch {
    return null
  }
}

function utcOf({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** The milliseconds of a zone like `GMT-3`, which Intl does not know by that name. */
function fixedOffset(zone = ''): number | null {
  const found = /^(?:UTC|GMT)([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(zone)
  if (found === null) return null
  const [, sign, hours, minutes = '0'] = found
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
}
