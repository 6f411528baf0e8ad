import { command } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import type { FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { PROTOCOL, readProtocol } from '../state/fleet/fleet-tables.ts'

/** Machines of a fleet may have different versions of gza, as long as they agree on what is written. */
export async function assertProtocol(db: FleetDatabase): Promise<void> {
  const number = await readProtocol(db).catch((error: Error) => {
    throw new UserError('DATABASE_UNREACHABLE', `The database of the fleet does not answer: ${error.message}`, {
      hint: 'Check the address, and that the server runs.',
      cause: error,
    })
  })
  if (number === PROTOCOL) return
  if (number === null)
    throw new UserError('NO_FLEET_TABLES', 'The database has no tables of gza', { hint: command`fleet init` })
  const older = number < PROTOCOL
  throw new UserError(
    'OTHER_PROTOCOL',
    `The fleet uses protocol ${number}, and this gza protocol ${PROTOCOL}`,
    older ? { hint: command`fleet migrate` } : { hint: 'Upgrade gza on this machine.' },
  )
}
