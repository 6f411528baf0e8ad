/** A moment as the ledger writes it: UTC in whole seconds, such as 2026-01-02T10:00:05Z. */
export function isoSeconds(time: string | number | Date): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
