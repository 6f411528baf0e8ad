import type { Database } from 'bun:sqlite'
import { LOCK_WAIT_MS, ledgerBusy, tryRun } from './write-lock.ts'

/**
 * Lets readers and a writer work at the same time (SQLite's WAL mode). Two processes that do this to a new file at the
 * same moment may stand in each other's way; SQLite then refuses one of them at once, whatever its time limit says.
 */
export function useLog(db: Database): void {
  const start = performance.now()
  while (!tryRun(db, 'PRAGMA journal_mode = WAL')) {
    if (performance.now() - start > LOCK_WAIT_MS) throw ledgerBusy(LOCK_WAIT_MS)
    Bun.sleepSync(1 + Math.random() * 9)
  }
}
