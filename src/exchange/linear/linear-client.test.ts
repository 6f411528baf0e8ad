import { expect, test } from 'bun:test'
import { deriveId } from './derive-id.ts'
import { waitFrom } from './linear-client.ts'

test('the wait is as long as Linear asks for: in seconds, or until the used-up limit is reset', () => {
  const wait = (headers: Record<string, string>) => waitFrom(new Headers(headers), 1_000_000)
  expect(wait({ 'retry-after': '7' })).toBe(7000)
  expect(
    wait({
      'x-ratelimit-requests-remaining': '12',
      'x-ratelimit-requests-reset': '9000000',
      'x-ratelimit-complexity-remaining': '0',
      'x-ratelimit-complexity-reset': '1030000',
    }),
  ).toBe(30_000)
  expect(wait({})).toBe(5000)
  expect(wait({ 'x-ratelimit-requests-reset': '999' })).toBe(5000)
})

test('an id is a UUID of version 4, always the same for the same thing and different for others', () => {
  const id = deriveId('issue', 'a3f8')
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(deriveId('issue', 'a3f8')).toBe(id)
  const others = [
    deriveId('label', 'a3f8'),
    deriveId('issue', 'a3f9'),
    deriveId('relation', 'a3', 'f8'),
    deriveId('relation', 'a', '3f8'),
  ]
  expect(new Set([id, ...others]).size).toBe(5)
})
