/**
 * Clients that are connected to `gza mcp`. A claim belongs to the connection that made it. When that has ended, the next
 * one of the same client in the same working tree takes the claim over, as long as it has not expired.
 */
import { putRow } from '../describe-table.ts'
import { inLock } from '../write-lock.ts'
import { isHolderAlive, signOfLife } from './lease-life.ts'
import { isOwnLease } from './live-clone.ts'
import { CONNECTIONS, type Connection, type Lease } from './live-tables.ts'
import type { Live } from './open-live.ts'

export type NewConnection = Pick<Connection, 'connection' | 'client' | 'worktree' | 'pid' | 'start_time'>

/** Records that it is alive. Those that are gone and have no claim left are forgotten. */
export function noteConnection(db: Live, connection: NewConnection, now: string): void {
  inLock(db, () => {
    for (const other of connectionsIn(db))
      if (!isHolderAlive(other, now) && openClaims(db, other.connection).length === 0)
        db.query('DELETE FROM connections WHERE connection = ?').run(other.connection)
    putRow(db, CONNECTIONS, { ...connection, ...signOfLife(now) })
  })
}

/** Takes over the claims of connections of the same client and working tree that have ended. Returns how many. */
export function takeOverClaims(db: Live, mine: NewConnection, now: string): number {
  const isEarlier = (other: Connection) =>
    other.client === mine.client &&
    other.worktree === mine.worktree &&
    other.connection !== mine.connection &&
    !isHolderAlive(other, now)
  const claimsOfEarlier = () =>
    connectionsIn(db)
      .filter(isEarlier)
      .flatMap(({ connection }) => openClaims(db, connection))
      .filter(({ expires_at }) => expires_at !== null && expires_at > now)
  if (claimsOfEarlier().length === 0) return 0
  noteConnection(db, mine, now)
  return inLock(db, () => {
    const claims = claimsOfEarlier()
    const take = db.query('UPDATE leases SET connection = ? WHERE uid = ? AND token = ?')
    for (const { uid, token } of claims) take.run(mine.connection, uid, token)
    return claims.length
  })
}

/** What it has claimed and not given back. What recovery is ending at this moment is no longer a claim of anyone. */
export function openClaims(db: Live, connection: string): Lease[] {
  const claims = 'SELECT * FROM leases WHERE connection = ? AND released_at IS NULL AND pid IS NULL ORDER BY taken_at'
  return (db.query(claims).all(connection) as Lease[]).filter((lease) => isOwnLease(db, lease))
}

/** From now on others of the same client may take its claims over. */
export function endConnection(db: Live, connection: string): void {
  db.query('UPDATE connections SET pid = NULL, start_time = NULL WHERE connection = ?').run(connection)
}

function connectionsIn(db: Live): Connection[] {
  return db.query('SELECT * FROM connections').all() as Connection[]
}
