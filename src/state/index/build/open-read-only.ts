import { Database } from 'bun:sqlite'

/** The index of a repository that cannot be written; null if it is not one of this version. Loaded where that is so. */
export function openReadOnly(path: string, version: number): Database | null {
  try {
    const db = new Database(path, { readonly: true, strict: true })
    const { user_version } = db.query('PRAGMA user_version').get() as { user_version: number }
    if (user_version === version) return db
    db.close()
  } catch {
    // The index cannot be read. The ledgers can.
  }
  return null
}
