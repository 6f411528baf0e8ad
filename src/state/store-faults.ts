import { SQLiteError } from 'bun:sqlite'

/** The file system refused: a read-only place, a full disk, no permission. */
export function isUnwritable(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return /^(SQLITE_(READONLY|CANTOPEN|FULL|IOERR)|EROFS|EACCES|EPERM|ENOSPC|EEXIST|ENOTDIR)/.test(code)
}

/** The same, for SQLite's own errors only: leases are written before any ledger is. */
export function isUnwritableStore(error: unknown): boolean {
  return error instanceof SQLiteError && isUnwritable(error)
}

/**
 * The file is not what was written. Rows that contradict each other are damage too: in a sound store no two have the same
 * place. So is a missing table in a store with this version.
 */
export function isDamagedStore(error: unknown): boolean {
  if (!(error instanceof SQLiteError)) return false
  return (
    /^SQLITE_(CORRUPT|NOTADB|CONSTRAINT)/.test(error.code ?? '') ||
    /^(no such (table|column|index)|vtable constructor failed)/.test(error.message)
  )
}
