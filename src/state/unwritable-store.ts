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
