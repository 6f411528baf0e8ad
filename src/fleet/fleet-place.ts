/** Where a worker keeps its clones, and how a person names the database. */
import { join } from 'node:path'
import { assertDatabaseAddress } from '../core/fleet/database-address.ts'
import { UserError } from '../core/user-error.ts'
import { ensureFolder, readTextIfThere, writeText } from '../platform/files/files.ts'
import { isPrivateFile } from '../platform/files/private-folder.ts'
import { userConfigFolder, userStateFolder } from '../platform/files/user-folders.ts'
import type { Env } from '../platform/git/git.ts'

/** What all processes of a worker know. It is in a file, so that no argument list has to. */
export interface FleetPlace {
  root: string
  remote: string
  ledger: string
  fleet: string
  /** Of this worker: it keeps it from start to start. */
  machine: string
  trustsBase: boolean
  version: string
}

/** `fleet` and `trustsBase` are known once the first clone is made. */
export function openRoot(env: Env, remote: string, ledger: string): string {
  const name = new Bun.CryptoHasher('sha256').update(`${remote}\n${ledger}`).digest('hex').slice(0, 12)
  const root = join(userStateFolder(env), 'fleet', name)
  ensureFolder(root)
  return root
}

export function readMachine(root: string, random: string): string {
  const file = join(root, 'machine')
  const known = readTextIfThere(file)?.trim()
  if (known) return known
  writeText(file, `${random}\n`)
  return random
}

export function writePlace(place: FleetPlace): void {
  writeText(join(place.root, 'worker.json'), `${JSON.stringify(place)}\n`)
}

export function readPlace(root: string): FleetPlace {
  return JSON.parse(readTextIfThere(join(root, 'worker.json')) ?? '{}') as FleetPlace
}

export function slotFolder({ root }: Pick<FleetPlace, 'root'>, slot: number): string {
  return join(root, `slot-${slot}`)
}

/** The clone in which ledgers are read and written, but nothing runs. */
export function penFolder({ root }: Pick<FleetPlace, 'root'>): string {
  return join(root, 'pen.git')
}

const ADDRESS_FILE = 'fleet-url'
const VARIABLE = 'GZA_FLEET_URL'

/** From the variable, or from a file that only its owner can read. It is in no configuration of a repository. */
export function readAddress(env: Env): string {
  const file = join(userConfigFolder(env), ADDRESS_FILE)
  const given = env[VARIABLE] ?? readTextIfThere(file)?.trim()
  if (!given)
    throw new UserError('NO_DATABASE', 'No database is named for the fleet', {
      hint: `Put its address into ${file} (mode 600), or into ${VARIABLE}.`,
    })
  if (env[VARIABLE] === undefined && !isPrivateFile(file))
    throw new UserError('DATABASE_EXPOSED', `${file} can be read by others`, { hint: `chmod 600 ${file}` })
  return assertDatabaseAddress(given)
}

/** The environment of what runs for a task: nothing in it leads to the database. */
export function withoutAddress(env: Env): Env {
  const { [VARIABLE]: _address, ...rest } = env
  return rest
}
