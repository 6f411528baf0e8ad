/** The address of a fleet's database. It may contain a password, so it is never printed. */
import { UserError } from '../user-error.ts'

/** Throws if the address cannot be used, or is of another machine without a checked certificate. */
export function assertDatabaseAddress(address: string): string {
  const url = URL.parse(address.trim())
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new UserError('BAD_DATABASE_URL', 'The address of the database does not begin with postgres://', {
      hint: 'GZA_FLEET_URL=postgres://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full',
    })
  const host = url.searchParams.get('host') ?? url.hostname
  if (isThisMachine(host) || url.searchParams.get('sslmode') === 'verify-full') return url.href
  throw new UserError('INSECURE_DATABASE', `The connection to ${host} would not be encrypted and checked`, {
    hint: 'Add sslmode=verify-full to the address.',
  })
}

function isThisMachine(host: string): boolean {
  return host === '' || host.startsWith('/') || /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
}
