/**
 * Who may use the server: a page that was opened with a one-time token. It exchanges the token for a bearer, which it
 * sends with every request. There is no cookie: cookies ignore ports, so another server on this machine would get it.
 * Both are kept only in the memory of this process.
 */
export interface SignIn {
  newToken(): string
  /** The bearer; null if the token is unknown, used or too old. */
  exchange(token: string): string | null
  isSignedIn(bearer: string): boolean
}

export const TOKEN_LIFE_MS = 60_000
const TOKEN_BYTES = 24

export function openSignIn(clock: () => number): SignIn {
  const tokens = new Map<string, number>()
  const bearers = new Set<string>()
  return {
    newToken() {
      const token = secret()
      tokens.set(hashOf(token), clock() + TOKEN_LIFE_MS)
      return token
    },
    exchange(token) {
      const hash = hashOf(token)
      const until = tokens.get(hash)
      tokens.delete(hash)
      if (until === undefined || clock() > until) return null
      const bearer = secret()
      bearers.add(hashOf(bearer))
      return bearer
    },
    isSignedIn: (bearer) => bearers.has(hashOf(bearer)),
  }
}

function secret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString('base64url')
}

/** Looking up a hash takes as long for a nearly right secret as for a wrong one. */
function hashOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}
