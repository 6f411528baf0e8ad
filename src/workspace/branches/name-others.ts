/** What a person should know who reads a ledger that does not exist. */
import { command, sentence } from '../../core/sentence.ts'
import { remoteOfFreshClone } from '../../ledger/unsynced-changes.ts'
import type { Workspace } from '../workspace.ts'

interface Others {
  ledgers: readonly string[]
  /** Those that a warning of this command names already. */
  named: ReadonlySet<string> | undefined
  openTasksOn(ws: Workspace, ledger: string): number
}

/** Warns that other ledgers have open tasks, or that a remote may have some. */
export function nameOthers(ws: Workspace, { ledgers, named, openTasksOn }: Others): void {
  if (ledgers.length === 0) nameRemote(ws)
  const open = ledgers
    .filter((ledger) => !named?.has(ledger))
    .map((ledger) => ({ ledger, count: openTasksOn(ws, ledger) }))
    .filter(({ count }) => count > 0)
  if (open.length === 0) return
  const names = open.map(({ ledger, count }) => `${ledger} (${count})`).join(', ')
  ws.warnings.push(
    `${ws.ledger} has no tasks; there are open tasks on: ${names}. Show them with --branch ${open[0]?.ledger}`,
  )
}

/** A clone has no ledgers until it syncs, and nobody who reads an empty list knows that. The remote is not asked. */
function nameRemote(ws: Workspace): void {
  const remote = ws.actor.mode === 'human' ? remoteOfFreshClone(ws.repo, ws.namedLedger) : null
  if (remote === null) return
  ws.warnings.push(sentence`This clone has no tasks yet. If ${remote} has some, ${command`sync`} fetches them`)
}
