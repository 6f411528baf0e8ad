/**
 * Ledgers between which tasks moved belong together: a remote that had one of them without the other would show a task
 * twice or not at all.
 */
import { movesBetweenLedgers } from '../../state/index/ledger-rows.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Ledgers with their tips. */
export type Tips = ReadonlyMap<string, string>

export interface TipGroups {
  independent: Tips
  /** Groups that arrive together; in each, the ledger that tasks moved to comes first. */
  together: Tips[]
}

export function groupTips(ws: Workspace, tips: Tips): TipGroups {
  const moves = movesBetweenLedgers(ws.state).filter(([from, to]) => tips.has(from) && tips.has(to))
  const groups = new Map([...tips.keys()].map((ledger) => [ledger, new Set([ledger])]))
  for (const [from, to] of moves) unite(groups, from, to)
  const tied = [...new Set(groups.values())].filter(({ size }) => size > 1)
  const tipsOf = (ledgers: readonly string[]) => new Map(ledgers.map((ledger) => [ledger, tips.get(ledger) ?? '']))
  return {
    independent: tipsOf([...tips.keys()].filter((ledger) => groups.get(ledger)?.size === 1)),
    together: tied.map((group) => tipsOf(targetsFirst([...group], moves))),
  }
}

/** The ledger, and those that tasks moved to from it: without them its tasks would be missing on the remote. */
export function withTargets(ws: Workspace, ledger: string): Set<string> {
  const moves = movesBetweenLedgers(ws.state)
  const found = new Set([ledger])
  for (const each of found) for (const [from, to] of moves) if (from === each) found.add(to)
  return found
}

function unite(groups: Map<string, Set<string>>, a: string, b: string): void {
  const united = new Set([...(groups.get(a) ?? []), ...(groups.get(b) ?? [])])
  for (const ledger of united) groups.set(ledger, united)
}

/** Tasks may have moved in both directions: of such ledgers any may be first. */
function targetsFirst(group: readonly string[], moves: readonly [string, string][]): string[] {
  const placed = new Set<string>()
  const visit = (ledger: string, path: ReadonlySet<string>): void => {
    if (placed.has(ledger) || path.has(ledger)) return
    for (const [from, to] of moves) if (from === ledger) visit(to, new Set([...path, ledger]))
    placed.add(ledger)
  }
  for (const ledger of group) visit(ledger, new Set())
  return [...placed]
}
