import { expect, test } from 'bun:test'
import { openSignIn } from './sign-in.ts'

test('a token is good for a minute, once', () => {
  let now = 1_000_000
  const signIn = openSignIn(() => now)
  const [first, second, third] = [signIn.newToken(), signIn.newToken(), signIn.newToken()]
  now += 60_000
  expect(signIn.exchange(first)).toMatch(/^[\w-]{32}$/)
  expect(signIn.exchange(first)).toBeNull()
  now += 1
  expect(signIn.exchange(second)).toBeNull()
  now -= 30_000
  expect(signIn.exchange(second)).toBeNull()
  expect(signIn.exchange(third)).not.toBeNull()
})

test('a token and a bearer have 192 bits, and one is not the other', () => {
  const signIn = openSignIn(() => 0)
  const token = signIn.newToken()
  expect(Buffer.from(token, 'base64url').length).toBe(24)
  const bearer = signIn.exchange(token) as string
  expect(Buffer.from(bearer, 'base64url').length).toBe(24)
  expect(signIn.isSignedIn(bearer)).toBe(true)
  expect(signIn.isSignedIn(token)).toBe(false)
  expect(signIn.isSignedIn('')).toBe(false)
})
