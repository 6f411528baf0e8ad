/** The clone that a store of leases is in. A copied repository has the leases of the original in its store. */
import type { Database } from 'bun:sqlite'
import { type Clone, readClone, writeClone } from '../../platform/git/clone-id.ts'
import type { Lease } from './live-tables.ts'

/** Was the lease taken in this clone? Those of other clones are neither held here nor abandoned. */
export function isOwnLease(db: Database, { clone }: Pick<Lease, 'clone'>): boolean {
  const { id, copiedFrom } = cloneOf(db)
  return clone === null ? copiedFrom === null : clone === id
}

/** The id of this clone, made on first use. Under the store's lock, so that two processes do not make two. */
export function ownClone(db: Database): string {
  const { id, copiedFrom } = cloneOf(db)
  if (id !== null) return id
  // Leases without a clone were copied with the others.
  if (copiedFrom !== null) db.query('UPDATE leases SET clone = ? WHERE clone IS NULL').run(copiedFrom)
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
  return writeClone(commonDirOf(db), random).id as string
}

/** The clone of each open store that has one: every lease is compared with it, and its id never changes. */
const CLONES = new WeakMap<Database, Clone>()

function cloneOf(db: Database): Clone {
  const known = CLONES.get(db)
  if (known !== undefined) return known
  const clone = readClone(commonDirOf(db))
  if (clone.id !== null) CLONES.set(db, clone)
  return clone
}

/** The store is `gza/live.db` in the git common directory. */
function commonDirOf(db: Database): string {
  const path = UNWRITABLE.get(db) ?? db.filename
  return path.slice(0, -'/gza/live.db'.length)
}

/** The paths of stores that were opened by another name, which SQLite understands. */
export const UNWRITABLE = new WeakMap<Database, string>()
