import { DamagedState } from './open-state.ts'

/**
 * SQLite notices a broken page, but not a broken text in it, and an index that lost a row gives no error at all. What a
 * write takes from the index goes back into the ledger, so each line carries a checksum.
 */
export function checksum(line: string): number {
  return Bun.hash.xxHash32(line)
}

/** A line of the index. Both are null if a join found none. */
export interface KeptLine {
  line: string | null
  sum: number | null
}

/** The line, if its checksum is right. */
export function checkedLine({ line, sum }: KeptLine): string {
  if (line === null || checksum(line) !== sum) throw new DamagedState('a line of the index is not what was written')
  return line
}
