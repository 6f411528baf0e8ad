import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { limitReset, momentNamed } from './limit-reset.ts'

const NOW = new Date('2026-11-15T13:20:30Z')

test('a time in seconds since 1970 does not depend on the current time', () => {
  expect(limitReset('Claude AI usage limit reached|1730000000', NOW)).toBe('2024-10-27T03:33:20.000Z')
  expect(momentNamed('{"type":"usage_limit_reached","resets_at":1777936568,"resets_in_seconds":13872}')).toBe(
    '2026-05-04T23:16:08.000Z',
  )
  expect(momentNamed(String.raw`{\"resetsAt\": 1777936568000}`)).toBe('2026-05-04T23:16:08.000Z')
})

test('a date with its zone is that time', () => {
  const message = 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.'
  expect(momentNamed(message)).toBe('2026-12-01T00:00:00.000Z')
  expect(momentNamed('resets at 2026-12-01T06:30:15.5Z')).toBe('2026-12-01T06:30:15.000Z')
})

test('a duration counts from now', () => {
  const after = (message: string) => limitReset(message, NOW)
  expect(after("You've hit your usage limit. Upgrade to Pro or try again in 2 days 3 hours.")).toBe(
    '2026-11-17T16:20:30.000Z',
  )
  expect(after('try again in 5 days 22 hours 11 minutes.')).toBe('2026-11-21T11:31:30.000Z')
  expect(after('Your quota will reset after 8h44m7s.')).toBe('2026-11-15T22:04:37.000Z')
  expect(after('Please try again in 2 hours. Please review our Terms')).toBe('2026-11-15T15:20:30.000Z')
  expect(after('{"error":{"details":[{"retryDelay":"33.5s"}]}}')).toBe('2026-11-15T13:21:04.000Z')
  expect(after('{"resets_in_seconds":602705}')).toBe('2026-11-22T12:45:35.000Z')
})

test('a time of day is the next one in its zone', () => {
  const reset = (message: string) => limitReset(message, NOW)
  expect(reset("You've hit your limit · resets 3pm (UTC)")).toBe('2026-11-15T15:00:00.000Z')
  expect(reset("You've hit your session limit · resets 4:50am (Europe/Rome)")).toBe('2026-11-16T03:50:00.000Z')
  expect(reset('Claude usage limit reached. Your limit will reset at 5pm (Europe/Warsaw).')).toBe(
    '2026-11-15T16:00:00.000Z',
  )
  expect(reset('Usage limit reached for gemini-3-flash-preview. Access resets at 10:57 PM GMT-3.')).toBe(
    '2026-11-16T01:57:00.000Z',
  )
  expect(reset('5-hour limit reached ∙ resets 12am (Asia/Tokyo)')).toBe('2026-11-15T15:00:00.000Z')
  expect(reset('5-hour limit reached ∙ resets 12pm (America/Los_Angeles)')).toBe('2026-11-15T20:00:00.000Z')
})

test('a date without a year is the next one', () => {
  const reset = (message: string) => limitReset(message, NOW)
  expect(reset("You've hit your limit · resets Jan 30, 11:30am (Asia/Calcutta)")).toBe('2027-01-30T06:00:00.000Z')
  expect(reset("You've hit your weekly limit · resets Nov 19 at 7pm (UTC)")).toBe('2026-11-19T19:00:00.000Z')
})

test('a time without a zone is in the zone of this machine', () => {
  const local = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  const now = new Date(2026, 10, 15, 13, 20)
  const reset = (message: string) => limitReset(message, now)
  expect(reset('or try again at May 11th, 2027 1:36 PM.')).toBe(local(2027, 4, 11, 13, 36))
  expect(reset('to purchase more credits or try again at 3:28 PM.')).toBe(local(2026, 10, 15, 15, 28))
  expect(reset('Limits will reset at 9:30 AM. View your usage details.')).toBe(local(2026, 10, 16, 9, 30))
  expect(reset('or try again at Nov 23rd, 2026 9:05 PM.')).toBe(local(2026, 10, 23, 21, 5))
})

test('a time that has just passed means soon, not tomorrow', () => {
  expect(limitReset('resets 1:15pm (UTC)', NOW)).toBe('2026-11-15T13:30:30.000Z')
  expect(limitReset('resets 1:10pm (UTC)', NOW)).toBe('2026-11-16T13:10:00.000Z')
})

test('a clock change in between is taken into account', () => {
  const night = new Date('2026-03-28T22:00:00Z')
  expect(limitReset('resets 8am (Europe/Berlin)', night)).toBe('2026-03-29T06:00:00.000Z')
  expect(limitReset('resets 10pm (Europe/Berlin)', night)).toBe('2026-03-29T20:00:00.000Z')
})

test('a message without a time gives none', () => {
  for (const message of [
    '',
    "You've hit your usage limit. Try again later.",
    'resets 3pm (Mars/Olympus)',
    'resets 14pm (UTC)',
  ])
    expect(limitReset(message, NOW)).toBeNull()
})

test('no message makes it fail or slow', () => {
  const piece = fc.constantFrom(
    'resets ',
    'at ',
    'Jan 30, ',
    '3',
    ':',
    '99',
    'pm',
    ' (',
    'UTC',
    'Europe/Rome',
    'try again in ',
    ' days',
    'GMT+99',
  )
  const message = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  )
  fc.assert(fc.property(message, (text) => expect(limitReset(text, NOW) ?? NOW.toISOString()).toMatch(/Z$/)))
  expect(() => limitReset('resets 1 '.repeat(1_000_000), NOW)).not.toThrow()
})
