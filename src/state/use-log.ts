import type { Database } from 'bun:sqlite'
import { isBusy, LOCK_WAIT_MS } from './write-lock.ts'

/**
 * Lets readers and a writer work at the same time (SQLite's WAL mode). Two processes that do this to a new file at the
 * same moment may stand in each other's way; SQLite then refuses one of them at once, whatever its time limit says.
 */
export function useLog(db: Database): void {
  const start = performance.now()
  while (!tryUseLog(db)) {
    if (performance.now() - start > LOCK_WAIT_MS) throw new Error('database is locked')
    Bun.sleepSync(1 + Math.random() * 9)
  }
}

function tryUseLog(db: Database): boolean {
  try {
    db.run('PRAGMA journal_mode = WAL')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
