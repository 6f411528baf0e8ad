/** A person sets up a fleet for the queue of a branch, and gives it up again. */
import { assertAllowed } from '../core/task/agent-mode.ts'
import { UserError } from '../core/user-error.ts'
import { isIncomplete, syncLedgers } from '../exchange/remote/sync-ledger.ts'
import { runGit } from '../platform/git/git.ts'
import { connectFleet, type FleetDatabase } from '../state/fleet/connect-fleet.ts'
import { migrateTables, PROTOCOL } from '../state/fleet/fleet-tables.ts'
import { openOffers } from '../state/fleet/offers.ts'
import { chooseRemote } from '../workspace/choose-remote.ts'
import { joinFleet, leaveFleet, readMembership } from '../workspace/fleet/fleet-membership.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { readAddress } from './fleet-place.ts'
import { tryAtomicPush } from './remote-calls.ts'

export interface FleetSetUp {
  fleet: string
  ledger: string
  remote: string
  /** What a worker is started with. */
  remote_url: string
  protocol: number
}

/** May be repeated: what is there stays. So a lost database is made again. */
export async function initFleet(ws: Workspace): Promise<FleetSetUp> {
  assertAllowed('fleet', ws.actor)
  const remote = chooseRemote(ws, ws.namedLedger)
  await exchange(ws, remote)
  await assertAtomic(ws, remote)
  return inDatabase(ws, async (db) => {
    await migrateTables(db)
    const fleet = joinFleet(ws)
    const offers = await openOffers(db, fleet, { create: true, failed: ignore })
    await offers.close()
    await exchange(ws, remote)
    const remote_url = runGit(ws.repo, ['remote', 'get-url', remote]).toString().trim()
    return { fleet, ledger: ws.ledger, remote, remote_url, protocol: PROTOCOL }
  })
}

/** Creates what a newer gza needs. */
export async function migrateFleet(ws: Workspace): Promise<{ protocol: number }> {
  assertAllowed('fleet', ws.actor)
  const fleet = readMembership(readLedger(ws))?.fleet ?? null
  return inDatabase(ws, async (db) => {
    await migrateTables(db)
    if (fleet !== null) await (await openOffers(db, fleet, { create: true, failed: ignore })).close()
    return { protocol: PROTOCOL }
  })
}

/** The ledger in git is complete at any time, so nothing has to be fetched from the database. */
export async function leaveItsFleet(ws: Workspace): Promise<{ left: string | null; ledger: string }> {
  assertAllowed('fleet', ws.actor)
  const remote = chooseRemote(ws, ws.namedLedger)
  await exchange(ws, remote)
  const left = leaveFleet(ws)
  await exchange(ws, remote)
  return { left, ledger: ws.ledger }
}

async function exchange(ws: Workspace, remote: string): Promise<void> {
  const report = await syncLedgers(ws, { remote, only: ws.ledger })
  if (!isIncomplete(report)) return
  throw new UserError('NOT_EXCHANGED', `${remote} did not take the tasks of ${ws.ledger}`, {
    hint: 'A fleet needs the right to push refs/tasks/* and refs/gza/runs/*.',
  })
}

async function assertAtomic(ws: Workspace, remote: string): Promise<void> {
  const commit = runGit(ws.repo, ['rev-parse', `${ledgerRef(ws.ledger)}^{commit}`])
    .toString()
    .trim()
  const why = await tryAtomicPush(ws.repo, remote, { commit, random: ws.random(8) })
  if (why === null) return
  throw new UserError('NO_ATOMIC_PUSH', `${remote} cannot move several refs at once: ${why}`, {
    hint: 'A fleet needs a remote with atomic pushes, and the right to push refs/gza/runs/*.',
  })
}

export async function inDatabase<T>(ws: Workspace, work: (db: FleetDatabase) => Promise<T>): Promise<T> {
  const db = await connectFleet({ address: readAddress(ws.env), name: 'gza', failed: ignore })
  try {
    return await work(db)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('DATABASE_UNREACHABLE', `The database of the fleet failed: ${(error as Error).message}`, {
      hint: 'Nothing is lost: the ledger is in git. Check the address and the rights of its role.',
      cause: error,
    })
  } finally {
    await db.close()
  }
}

/** The call itself fails too, and says why. */
function ignore(): void {}
