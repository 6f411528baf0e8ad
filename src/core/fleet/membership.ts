/**
 * Whether a ledger's queue belongs to a fleet. Each change is a file of its own that never changes, so that ledgers join
 * without a conflict. Its name says everything: no file has to be read.
 */

/** The folder of these files among the artifacts. */
export const FLEET_FOLDER = 'fleet'

export interface FleetMembership {
  n: number
  /** Null: the queue has left it. */
  fleet: string | null
}

const NAME = /^artifacts\/fleet\/(\d{6})-(?:fleet-([0-9a-f]{16})|left-[0-9a-f]{16})\.json$/

/** The newest of the files; null if there is none. Of two with one number the greater name counts. */
export function membershipOf(paths: readonly string[]): FleetMembership | null {
  const known = paths.filter((path) => NAME.test(path)).sort()
  const [, n = '', fleet = null] = NAME.exec(known.at(-1) ?? '') ?? []
  return n === '' ? null : { n: Number(n), fleet }
}

/** The file of the next change. `random`: 16 hex digits, the fleet's id when it is joined. */
export function membershipFile(before: FleetMembership | null, change: 'joined' | 'left', random: string): string {
  const n = String((before?.n ?? 0) + 1).padStart(6, '0')
  return `artifacts/${FLEET_FOLDER}/${n}-${change === 'joined' ? 'fleet' : 'left'}-${random}.json`
}
