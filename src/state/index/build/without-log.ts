/** Fills the index without SQLite's log, through which every page would be written twice. */
import { isBusy, LOCK_WAIT_MS } from '../../write-lock.ts'
import { SCHEMA_VERSION, type State, WITHOUT_LOG } from '../open-state.ts'

/**
 * Runs `work`, which fills the index in one transaction. Until it ends, SQLite keeps the few pages that were there before,
 * so that a killed process leaves none of its rows. Others wait until the file is in its usual mode again, and set that
 * themselves if this process dies. If another process has the index open, its log is used as always.
 */
export function withoutLog<T>(db: State, work: () => T): T {
  if (!leaveLog(db)) return work()
  try {
    return work()
  } finally {
    useLog(db)
  }
}

function leaveLog(db: State): boolean {
  return (
    tryNow(db, () => {
      // Before the mode changes: from now on, whoever opens the file sees that it is in another one, or must wait.
      setVersion(db, WITHOUT_LOG)
      if (setMode(db, 'DELETE') === 'delete') return true
      setVersion(db, SCHEMA_VERSION)
      return false
    }) ?? resetVersion(db)
  )
}

function resetVersion(db: State): false {
  tryNow(db, () => setVersion(db, SCHEMA_VERSION))
  return false
}

/** If others read it at this moment, the next one that opens the file does this. */
function useLog(db: State): void {
  tryNow(db, () => {
    if (setMode(db, 'WAL') === 'wal') setVersion(db, SCHEMA_VERSION)
  })
}

/** Null if another process has the lock. */
function tryNow<T>(db: State, attempt: () => T): T | null {
  db.run('PRAGMA busy_timeout = 0')
  try {
    return attempt()
  } catch (error) {
    if (isBusy(error)) return null
    throw error
  } finally {
    db.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`)
  }
}

function setVersion(db: State, version: number): void {
  db.run(`PRAGMA user_version = ${version}`)
}

function setMode(db: State, mode: 'DELETE' | 'WAL'): string {
  return (db.query(`PRAGMA journal_mode = ${mode}`).get() as { journal_mode: string }).journal_mode
}
