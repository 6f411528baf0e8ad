/** Where the ledgers of deleted branches are kept. */
export const ARCHIVE = 'refs/tasks-archive/'

/** A ledger's name without a slash: git cannot store one ref below another, so an encoded name never blocks another. */
export function spellName(ledger: string): string {
  return ledger.replace(/[%/#]/g, (sign) => SPELLED[sign] ?? sign)
}

export function readName(spelled: string): string {
  return spelled.replace(/%(?:2F|23|25)/g, (code) => PLAIN[code] ?? code)
}

/** The ledger that an archived ref contains: `feature%2Fx`, or `feature%2Fx#2` for the second of that name. */
export function archivedName(ref: string): string {
  return readName(ref.slice(ARCHIVE.length).replace(/#\d+$/, ''))
}

/**
 * The name of a ledger that cannot be stored here under its own, because another one is in its way. It exists while its
 * tasks are moved and archived. No branch has such a name by chance.
 */
export function standInName(ledger: string): string {
  return `${spellName(ledger)}%on-the-remote`
}

export function isStandIn(ledger: string): boolean {
  return ledger.endsWith('%on-the-remote')
}

const SPELLED: Record<string, string> = { '/': '%2F', '#': '%23', '%': '%25' }
const PLAIN: Record<string, string> = { '%2F': '/', '%23': '#', '%25': '%' }
