import type { Database } from 'bun:sqlite'
import { heldBeside, LOCK_WAIT_MS, ledgerBusy, tryBegin } from './write-lock.ts'

/**
 * The same as `inLock` for work that waits for git: the other runs of this process continue meanwhile. What they write is
 * part of the same transaction, which a crash drops as a whole: the index follows the ledger, whatever it had. Works that
 * want the lock get it in turn.
 */
export function inLockBeside<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(() => holdLock(db, work))
  turns.set(
    db,
    turn.catch(() => {}),
  )
  return turn
}

const turns = new WeakMap<Database, Promise<unknown>>()

async function holdLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await begin(db)
  heldBeside.add(db)
  try {
    const result = await work()
    db.run('COMMIT')
    return result
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK')
    throw error
  } finally {
    heldBeside.delete(db)
  }
}

async function begin(db: Database): Promise<void> {
  const start = performance.now()
  while (!tryNow(db)) {
    const waited = performance.now() - start
    if (waited > LOCK_WAIT_MS) throw ledgerBusy(LOCK_WAIT_MS)
    await Bun.sleep(1 + Math.random() * Math.min(9, 2 + waited / 20))
  }
}

/** Nobody else in this process may meet the short limit. */
function tryNow(db: Database): boolean {
  db.run('PRAGMA busy_timeout = 0')
  try {
    return tryBegin(db)
  } finally {
    db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  }
}

/** The process is the only writer already. What fails here is dropped alone. */
export function asPart<T>(db: Database, work: () => T): T {
  db.run('SAVEPOINT part')
  try {
    const result = work()
    db.run('RELEASE part')
    return result
  } catch (error) {
    if (db.inTransaction) for (const step of ['ROLLBACK TO part', 'RELEASE part']) db.run(step)
    throw error
  }
}
